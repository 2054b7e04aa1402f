"""What a study asks: rule sets, a range of seeds, what is measured, and by which players. Runs nothing.

`Study` is what is run; `Settings` is the same as plain data, which goes into the file of its results.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from pyramide_core import __version__
from pyramide_core.deals import SEED_COUNT
from pyramide_core.errors import PyramideError
from pyramide_core.messages import _
from pyramide_core.rules import Rules
from pyramide_core.study.players import player_named
from pyramide_core.study.referee import PATIENCE, Player, player_name

GENERATOR = "PY1-N version 1"
VERDICT_LIMIT = 2_000_000
SEARCH_LIMIT = 2_000_000


class StudyError(PyramideError):
    """A study that cannot be run as it is asked for."""


@dataclass(frozen=True)
class Settings:
    """A study as plain data: everything that its table depends on, and so the same for the same table.

    Two studies with equal settings but for `deals` agree on the deals they share.
    """

    rules: tuple[str, ...]
    deals: int
    first_seed: int
    verdict: bool
    shortest: bool
    most: bool
    players: tuple[str, ...]
    verdict_limit: int
    search_limit: int
    patience: int
    generator: str = GENERATOR
    version: str = __version__

    def to_json(self) -> str:
        """Return the settings as JSON; `from_json` reads it."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> "Settings":
        """Read settings; raises StudyError when the text holds none."""
        try:
            values = json.loads(text)
            known: Any = {field.name: values[field.name] for field in fields(cls)}
            plain: Any = {name: tuple(value) if isinstance(value, list) else value for name, value in known.items()}
            return cls(**plain)
        except (ValueError, TypeError, KeyError) as error:
            raise StudyError(_("The settings of this study cannot be read.")) from error

    def differences(self, other: "Settings") -> tuple[str, ...]:
        """Return `name: one value, other value` for each setting but `deals` that differs."""
        ours, theirs = asdict(self), asdict(other)
        return tuple(
            f"{name}: {_plain(ours[name])} / {_plain(theirs[name])}"
            for name in ours
            if name != "deals" and ours[name] != theirs[name]
        )


def _plain(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


@dataclass(frozen=True)
class Study:
    """A question to many deals: the seeds from `first_seed` on, as many as `deals`, under each of the rule sets.

    With `verdict` each deal's verdict is found, with `shortest` the length of its shortest win, with `most` the most
    cards that can go; each of the `players` plays every deal. The limits are numbers of search nodes: a search that
    needs more leaves its answer unknown, on every machine alike. Raises StudyError for what cannot be run.

    >>> Study.of("pyramide,classic,passes=3", deals=100).rules[1].text
    'mix,draws_at_start=0,passes=3,dead_end=lost,undo_limit=unlimited,undo_counts=yes'
    """

    rules: tuple[Rules, ...]
    deals: int
    first_seed: int = 0
    verdict: bool = True
    shortest: bool = False
    most: bool = False
    players: tuple[Player, ...] = ()
    verdict_limit: int = VERDICT_LIMIT
    search_limit: int = SEARCH_LIMIT
    patience: int = PATIENCE

    def __post_init__(self) -> None:
        last = SEED_COUNT - 1
        if not 0 <= self.first_seed <= last:
            raise StudyError(
                _("The first seed must be from 0 to {last}, not {seed}.").format(last=last, seed=self.first_seed)
            )
        if not 1 <= self.deals <= SEED_COUNT - self.first_seed:
            raise StudyError(
                _("From seed {seed} on there are 1 to {most} deals to study, not {deals}.").format(
                    seed=self.first_seed, most=SEED_COUNT - self.first_seed, deals=self.deals
                )
            )
        if not self.rules:
            raise StudyError(_("A study needs a rule set."))
        _refuse_doubles([rules.text for rules in self.rules], _("The rule set {name} stands twice."))
        _refuse_doubles([player_name(player) for player in self.players], _("Two players are called {name}."))
        if not (self.verdict or self.shortest or self.most or self.players):
            raise StudyError(
                _("A study must measure something: the verdict, the shortest win, the most cards, or a player.")
            )
        for name in ("verdict_limit", "search_limit", "patience"):
            if getattr(self, name) < 1:
                raise StudyError(
                    _("{name} must be at least 1, not {value}.").format(name=name, value=getattr(self, name))
                )

    @classmethod
    def of(
        cls,
        rules: str | Rules | Iterable[str | Rules],
        deals: int,
        *,
        players: Iterable[str | Player] = (),
        **more: Any,
    ) -> "Study":
        """Make a study from names: rule sets as `read_rule_sets` reads them, players by name or as functions."""
        given = [rules] if isinstance(rules, str | Rules) else rules
        sets: list[Rules] = []
        for item in given:
            sets += [item] if isinstance(item, Rules) else read_rule_sets(item)
        chosen = tuple(player_named(player) if isinstance(player, str) else player for player in players)
        return cls(tuple(sets), deals, players=chosen, **more)

    @property
    def settings(self) -> Settings:
        """The study as plain data."""
        return Settings(
            rules=tuple(rules.text for rules in self.rules),
            deals=self.deals,
            first_seed=self.first_seed,
            verdict=self.verdict,
            shortest=self.shortest,
            most=self.most,
            players=tuple(player_name(player) for player in self.players),
            verdict_limit=self.verdict_limit,
            search_limit=self.search_limit,
            patience=self.patience,
        )

    def with_deals(self, deals: int) -> "Study":
        """Return the same study over another number of deals."""
        return replace(self, deals=deals)


def read_rule_sets(text: str) -> list[Rules]:
    """Read rule sets with commas between; an `option=value` belongs to the rule set before it.

    Raises RulesError naming the word that is no rule set.

    >>> [rules.text for rules in read_rule_sets("pyramide, mix,passes=2,goal=all, classic")]
    ['pyramide', 'mix,passes=2,goal=all', 'classic']
    """
    texts: list[str] = []
    for part in text.split(","):
        if "=" in part and texts:
            texts[-1] += f",{part}"
        else:
            texts.append(part)
    return [Rules.parse(item) for item in texts]


def _refuse_doubles(names: Sequence[str], message: str) -> None:
    for name in names:
        if names.count(name) > 1:
            raise StudyError(message.format(name=name))
