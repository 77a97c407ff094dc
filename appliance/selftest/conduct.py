"""The self-test as a person sees it: what it says as it goes, the table, and the exit status."""

from contextlib import closing

from appliance.selftest.bench import Bench
from appliance.selftest.checks import checks
from appliance.selftest.report import Row, Verdict, table


def conduct(bench: Bench, *, keys: bool, seconds: float, width: int) -> int:
    """Run the self-test, then print its table, `width` characters wide. Return the exit status.

    That is 1 when a check failed, or when Ctrl-C ended the test, otherwise 0. `keys` and `seconds` are those
    of `checks`. Raises `UserError` when something else has the pins, or this person may not open a device.
    """
    rows: list[Row] = []
    status = 0
    try:
        with closing(checks(bench, seconds if keys else None)) as results:
            for row in results:
                rows.append(row)  # noqa: PERF402 - what was found before a Ctrl-C counts
    except KeyboardInterrupt:
        rows.append(Row("the rest: broken off", Verdict.OPEN))
        status = 1
    failed = sum(row.verdict is Verdict.FAILED for row in rows)
    told = f"{failed} of {len(rows)} checks failed" if failed else "no check failed"
    bench.say("\n".join(("", *table(rows, width), "", told, "")))
    return 1 if failed else status
