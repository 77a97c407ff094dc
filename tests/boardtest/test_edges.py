"""Edges with their times: bursts of chatter, lost edges, contacts and their presses."""

from types import SimpleNamespace

import pytest

from appliance.boardtest.contacts import Burst, bursts, lost
from appliance.boardtest.machine import Edge
from appliance.boardtest.plan import percentile
from appliance.boardtest.presses import Contacts


def edges(*changes):
    """Return edges at milliseconds; a negative time is a fall."""
    return [Edge(abs(at) / 1000, at > 0, number) for number, at in enumerate(changes, 1)]


def test_bursts_are_chatter_of_one_contact():
    found = bursts(edges(-10, 12, -15, 80, -82, 84, -200, 270))
    assert [(round(burst.ended - burst.began, 4), burst.edges, burst.closed) for burst in found] == [
        (0.005, 3, True), (0.004, 3, False), (0.0, 1, True), (0.0, 1, False),
    ]  # fmt: skip
    assert bursts([]) == []
    assert bursts(edges(-10)) == [Burst(0.01, 0.01, 1, closed=True)]


def test_lost_edges_leave_a_gap_in_the_numbers():
    assert lost(edges(-1, 2, -3)) == lost([]) == 0
    assert lost([Edge(0.1, False, 4), Edge(0.2, True, 5), Edge(0.3, False, 9)]) == 3


REST, BUSY = (True, 0), (False, 1)  # of the keypad after a poll: settled, and its value


@pytest.mark.parametrize(("polls", "lost_contacts", "contact"), [
    ([(REST, ()), (BUSY, (-10,))], 0, 0.01),
    ([(REST, ()), (BUSY, (-10,)), (BUSY, (12, -14))], 0, 0.01),  # edges of scans are no contacts
    ([(REST, ()), (BUSY, (-10,)), (REST, (90,))], 0, None),
    ([(REST, ()), (REST, (-10, 45))], 1, None),  # gone before the poll
    ([(REST, ()), (REST, (-10, 20, -22, 48))], 0, None),  # chatter, each shorter than a tap
    ([(REST, ()), (REST, (-10,)), (BUSY, ())], 0, 0.01),  # it closed after the poll had read the columns
    ([(REST, ()), (REST, (-10,)), (REST, (45,))], 1, None),
    ([(REST, ()), (REST, (-10,)), (REST, ())], 0, None),  # its end was lost
    ([(BUSY, (-10,))], 0, None),  # before the first scan
])  # fmt: skip
def test_a_contact_at_rest_is_that_of_the_press_that_follows(polls, lost_contacts, contact):
    contacts = Contacts()
    for (settled, value), changes in polls:
        contacts.polled(SimpleNamespace(settled=settled, value=value), edges(*changes))
    assert contacts.lost == lost_contacts
    assert contacts.pressed() == contact
    assert contacts.pressed() is None, "one press takes it"


def test_percentiles():
    assert [percentile(range(1, 101), percent) for percent in (1, 50, 99, 100)] == [1, 50, 99, 100]
    assert percentile([7.0], 50) == percentile([7.0], 99) == 7.0
