"""People who press at random, and a session that they press on: its timers run, and an engine answers."""

from math import inf
from random import Random

from appliance.config.schema import Config
from appliance.core.keys.key_events import Blocked, Chord, Hold, HoldProgress, Press, Release, Stuck, Tap
from appliance.core.keys.scan import CENTRE
from appliance.core.session import events as fx
from appliance.core.session.transitions import begin, carry_over, step
from appliance.service.daemon import first_session

THOUGHT = 0.05  # seconds until an answer comes


class Stand:
    """A session, what it has armed and asked for, and a clock. `watch` is called after each event."""

    def __init__(self, config, chance, watch=None):
        self.chance, self.watch = chance, watch
        self.at, self.events, self.timers, self.replies = 0.0, 0, {}, []
        self.session, effects = begin(first_session(config), 0.0)
        self.carry_out(effects)

    def carry_out(self, effects):
        for effect in effects:
            match effect:
                case fx.Arm(timer, seconds):
                    self.timers[timer] = self.at + seconds
                case fx.Think() | fx.Judge() | fx.Read() | fx.Power():
                    self.replies.append((self.at + THOUGHT, effect))

    def reply(self, asked):
        match asked:
            case fx.Think(job, match):
                return fx.Answer(self.at, job, self.chance.choice(list(match.game.moves())))
            case fx.Judge(job, match):
                judged = {"remarks": ()} if match.over else {"worth": ("draw",) * 9}
                return fx.Judged(self.at, job, **judged)
            case fx.Read():
                return fx.Reading(self.at, 0)
        return fx.Refused(self.at, "did_not_work")

    def send(self, event):
        self.events += 1
        phase = self.session.phase
        self.session, effects = step(self.session, event)
        if self.session.phase is not phase:
            self.timers = carry_over(self.timers, self.session.phase)
        self.carry_out(effects)
        if self.watch:
            self.watch(event, effects)

    def wait(self, seconds):
        """Let time pass: timers expire, and answers come."""
        end = self.at + seconds
        while True:
            due, timer = min(((due, timer) for timer, due in self.timers.items()), default=(inf, None))
            answered = self.replies[0][0] if self.replies else inf
            if min(due, answered) > end:
                break
            self.at = max(self.at, min(due, answered))
            if answered <= due:
                self.send(self.reply(self.replies.pop(0)[1]))
            else:
                del self.timers[timer]
                self.send(fx.Timeout(self.at, timer))
        self.at = end

    def tap(self, key, seconds=0.08):
        self.send(Press(self.at, key))
        if key == CENTRE and seconds >= 1:
            for part in (0.25, 0.5, 0.75):
                self.wait(0.25)
                self.send(HoldProgress(self.at, key, part))
            self.wait(0.25)
            self.send(Hold(self.at, key))
            self.wait(seconds - 1)
        else:
            self.wait(0.06)
            self.send(Tap(self.at, key))
            self.wait(seconds - 0.06)
        self.send(Release(self.at, key, soon=seconds < 1))

    def chord(self, key, other):
        self.send(Press(self.at, key))
        self.send(Chord(self.at, tuple(sorted((key, other)))))
        self.wait(0.1)
        self.send(Release(self.at, key, soon=True))

    def lean(self, key, seconds):
        """Lean on a key until it counts as stuck, and press others meanwhile."""
        self.send(Press(self.at, key))
        self.send(Tap(self.at, key))
        self.wait(1.0)
        self.send(Blocked(self.at, (key,)))
        self.wait(seconds)
        self.send(Stuck(self.at, (key,)))
        if self.chance.random() < 0.5:
            self.send(Release(self.at, key, soon=False))
            self.send(Stuck(self.at, ()))

    def mash(self, seconds):
        """Press keys at random for this long, like a child: taps, holds, chords, an arm on a key."""
        end, chance = self.at + seconds, self.chance
        while self.at < end:
            self.wait(chance.expovariate(2.5))
            luck, key = chance.random(), chance.randrange(9)
            if luck < 0.08:
                self.tap(CENTRE, 1.2)
            elif luck < 0.10:
                self.tap(key, 1.5)
            elif luck < 0.14:
                self.chord(key, (key + 1) % 9)
            elif luck < 0.142:
                self.lean(key, 30.0)
            elif luck < 0.16:
                self.send(fx.Condition(self.at, "brownout", chance.random() < 0.5))
            else:
                self.tap(key)


def left_behind(session, config):
    """Return what differs from a box that nobody has touched: the settings by name, and what else is left."""
    configured = config.settings._asdict()
    names = {name for name, value in session.settings._asdict().items() if value != configured[name]}
    fresh = first_session(config)
    if session.match.moves and not session.match.over:
        names.add("half a game")
    if session.scores[:2] != fresh.scores[:2]:
        names.add("score")
    if session.scores[2:] != fresh.scores[2:]:
        names.add("strength and records")
    return names


def crowd(config, count=40, seconds=180.0, rest=61.0):
    """Return what each of so many people leaves behind who mashes for some seconds, and then goes away."""
    found = []
    for number in range(count):
        stand = Stand(config, Random(number))
        stand.mash(seconds)
        stand.wait(rest)
        found.append(left_behind(stand.session, config))
    return found


BEFORE = Config()._replace(options=Config().options._replace(power=False))
AFTER = Config()._replace(options=Config().options._replace(exhibit=True, off=0.0))
