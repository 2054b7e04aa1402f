"""What the player's browser keeps of a game, as text: on Binder the disk goes away, and the browser stays.

The text comes back from outside, so it is read like any input: nothing in it is believed before it has been replayed.
"""

import json
import re
from dataclasses import replace
from typing import Any

from pyramide_core.errors import PyramideError
from pyramide_core.messages import _
from pyramide_core.records.errors import RecordsError
from pyramide_core.records.saved import GameFacts, SavedGame, facts_of
from pyramide_core.records.tokens import read_name
from pyramide_core.transcript import Transcript

VERSION = 1
LONGEST = 1_000_000
LONGEST_TIME = 10_000_000.0


def write_memory(saved: SavedGame) -> str:
    """Return the text that `read_memory` reads."""
    facts = saved.facts
    return json.dumps(
        {
            "version": VERSION,
            "key": facts.key,
            "slot": facts.slot,
            "player": facts.player,
            "code": facts.code,
            "rules": facts.rules,
            "log": " ".join(saved.log),
            "seconds": facts.seconds,
            "hints": facts.hints,
            "paused": facts.is_paused,
            "started": facts.started_at,
            "at": facts.updated_at,
        },
        ensure_ascii=False,
    )


def _number(values: dict[str, Any], name: str, most: float) -> float:
    value = values.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        raise ValueError(name)
    return float(value)


def _text(values: dict[str, Any], name: str) -> str:
    value = values.get(name)
    if not isinstance(value, str):
        raise ValueError(name)
    return value


def read_memory(text: str) -> SavedGame | None:
    """Return the game that a browser has kept, or None where it has kept none.

    Raises RecordsError when there is something that cannot be read or does not replay.
    """
    if not text:
        return None
    try:
        if len(text) > LONGEST:
            raise ValueError("length")
        values = json.loads(text)
        if not isinstance(values, dict) or values.get("version") != VERSION:
            raise ValueError("version")
        key = _text(values, "key")
        if not re.fullmatch(r"[0-9a-f]{32}", key):
            raise ValueError("key")
        lines = [f"Code: {_text(values, 'code')}", f"Rules: {_text(values, 'rules')}", "", _text(values, "log")]
        transcript = Transcript.parse("\n".join(lines))
        at = _number(values, "at", 1e11)
        facts = GameFacts(
            key=key,
            rules=transcript.rules.text,
            code=transcript.deal.code,
            player=read_name(_text(values, "player"), needed=False),
            slot=_text(values, "slot"),
            started_at=_number(values, "started", 1e11),
        )
        game = transcript.replay(now=lambda: 0.0)
        facts = facts_of(game, facts, hints=int(_number(values, "hints", 1e6)), at=at)
        facts = replace(facts, seconds=_number(values, "seconds", LONGEST_TIME), is_paused=values.get("paused") is True)
    except (ValueError, RecursionError, PyramideError) as error:
        raise RecordsError(_("The game that this browser has kept cannot be read.")) from error
    return SavedGame(facts, tuple(map(str, transcript.entries)))
