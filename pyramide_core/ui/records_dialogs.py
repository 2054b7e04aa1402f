"""The dialogs of records and classes as data, in the form of `dialogs`. Knows no widget, and reads and writes nothing.

Beside the blocks of `dialogs` there are two more: a table (`title`, `head`, `rows`) and an image (`src`, `alt`).
"""

import base64
import os
from collections.abc import Sequence
from typing import Any

from pyramide_core.explain import title
from pyramide_core.messages import _, ngettext
from pyramide_core.records.charts import alternative, progress_svg
from pyramide_core.records.results import Task, Try
from pyramide_core.records.saved import GameFacts
from pyramide_core.records.summaries import Statistics, by_moves, by_time, hinted, summarise, unaided
from pyramide_core.rules import Rules
from pyramide_core.ui.dialogs import Dialog, button
from pyramide_core.wording import day, duration, percent, to_a_tenth

ALL = "*"
NONE = "–"
MOST_GAMES = 50
NEW_PLAYER = "+"


def player_label(name: str) -> str:
    """Return how a player is shown; one who has given no name has a word all the same."""
    return name or _("Player without a name")


def _time(seconds: float | None) -> str:
    return NONE if seconds is None else duration(seconds)


def _number(value: float | None) -> str:
    return NONE if value is None else to_a_tenth(value)


def _day(game: GameFacts) -> str:
    return day(game.ended.date())


def _titles(rules: str) -> str:
    return title(Rules.parse(rules))


def outcome_label(game: GameFacts) -> str:
    """Return how a game has ended, in words."""
    if game.result:
        return _("won") if game.is_won else _("dead end")
    return _("left") if game.is_left else _("in progress")


# Statistics ----------------------------------------------------------------------------------------------------------


def statistics(
    games: Sequence[GameFacts], players: Sequence[str], player: str, rules: str, failure: str = ""
) -> Dialog:
    """The window of statistics: the figures and the two rankings of a player under a rule set, or under all.

    `games` are all games of the player; `rules` is a short form or ALL.
    """
    known = sorted({game.rules for game in games if game.is_played})
    if rules not in known:
        rules = ALL
    shown = [game for game in games if rules in (ALL, game.rules)]
    blocks: list[dict[str, Any]] = []
    if failure:
        blocks.append({"kind": "warning", "text": failure})
    blocks.append(
        {
            "kind": "select",
            "name": "seen_player",
            "label": _("Player"),
            "options": [(name, player_label(name)) for name in players] or [(player, player_label(player))],
            "value": player,
            "live": True,
        }
    )
    blocks.append(
        {
            "kind": "select",
            "name": "seen_rules",
            "label": _("Rules"),
            "options": [(ALL, _("all rule sets")), *((name, _titles(name)) for name in known)],
            "value": rules,
            "live": True,
        }
    )
    blocks += _figures(summarise(shown))
    blocks += _rankings(shown)
    return {
        "id": "records",
        "title": _("Records"),
        "live": True,
        "blocks": blocks,
        "buttons": [
            button("records_charts", _("Charts")),
            button("records_games", _("Games to go on with")),
            button("records_players", _("Players")),
            button("records_files", _("Export and import")),
            button("class_ask", _("Join a class")),
            button("close", _("Back to the game"), "primary"),
        ],
    }


def _figures(of: Statistics) -> list[dict[str, Any]]:
    share = NONE if of.share_won is None else percent(of.share_won)
    streak = _("{current}, at best {best}").format(current=of.current_streak, best=of.best_streak)
    return [
        {
            "kind": "figures",
            "items": [
                (_("Games"), _number(of.games)),
                (_("Won"), f"{_number(of.won)} ({share})"),
                (_("Won in a row"), streak),
                (_("Best time"), _time(of.best_seconds)),
                (_("Mean time"), _time(of.mean_seconds)),
                (_("Fewest moves"), _number(of.best_moves)),
                (_("Mean moves"), _number(of.mean_moves)),
                (_("Cards left, mean of games not won"), _number(of.mean_cards_left)),
                (_("Undos"), _number(of.undos)),
                (_("Hints"), _number(of.hints)),
                (_("Games with hints"), _number(of.hinted_games)),
            ],
        }
    ]


def _rankings(games: Sequence[GameFacts]) -> list[dict[str, Any]]:
    """The two rankings of games without hints, and those of games with hints where there are any."""
    if not any(game.is_won for game in games):
        return [{"kind": "text", "text": _("There is no won game yet.")}]
    blocks = [
        _ranking(_("Fastest games"), by_time(unaided(games))),
        _ranking(_("Games with the fewest moves"), by_moves(unaided(games))),
    ]
    if any(game.is_won for game in hinted(games)):
        blocks.append(_ranking(_("Fastest games with hints"), by_time(hinted(games)), with_hints=True))
        blocks.append(_ranking(_("Games with hints and the fewest moves"), by_moves(hinted(games)), with_hints=True))
    return blocks


def _ranking(name: str, games: Sequence[GameFacts], with_hints: bool = False) -> dict[str, Any]:
    head = [_("Place"), _("Time"), _("Moves"), _("Undos"), *([_("Hints")] if with_hints else []), _("Deal"), _("Day")]
    rows = []
    for number, game in enumerate(games, 1):
        hints = [str(game.hints)] if with_hints else []
        row = [str(number), duration(game.seconds), str(game.moves), str(game.undos), *hints]
        rows.append([*row, _short_code(game.code), _day(game)])
    return {
        "kind": "table",
        "title": name,
        "head": head,
        "rows": rows,
        "empty": _("No game was won without hints yet."),
    }


def _short_code(code: str) -> str:
    """A code that carries a whole deal is too long for a line."""
    return code if len(code) <= 20 else f"{code[:12]}…"


def charts(games: Sequence[GameFacts], player: str, rules: str) -> Dialog:
    """The window with the charts of progress."""
    picture = base64.b64encode(progress_svg(games).encode("utf-8")).decode("ascii")
    name = _("all rule sets") if rules == ALL else _titles(rules)
    return {
        "id": "records-charts",
        "title": _("Progress: {player}, {rules}").format(player=player_label(player), rules=name),
        "blocks": [
            {"kind": "image", "src": f"data:image/svg+xml;base64,{picture}", "alt": alternative(games)},
            {"kind": "text", "text": alternative(games)},
        ],
        "buttons": [button("records", _("Back"), "primary"), button("close", _("Back to the game"))],
    }


# Games, players, files -----------------------------------------------------------------------------------------------


def games_to_go_on_with(games: Sequence[GameFacts]) -> Dialog:
    """The window of unfinished games, the latest first: one of them can be taken up again."""
    options = [
        (
            game.key,
            f"{_titles(game.rules)}, {_short_code(game.code)}",
            _("{moves}, {time}, {cards}, last played {day}").format(
                moves=ngettext("{n} move", "{n} moves", game.moves),
                time=duration(game.seconds),
                cards=ngettext("{n} card left", "{n} cards left", game.cards_left),
                day=_day(game),
            ),
        )
        for game in sorted(games, key=lambda game: -game.updated_at)
        if not game.result and game.entries
    ][:MOST_GAMES]
    blocks: list[dict[str, Any]] = [
        {"kind": "choice", "name": "game", "label": _("Unfinished games"), "options": options, "value": options[0][0]}
        if options
        else {"kind": "text", "text": _("There is no unfinished game.")}
    ]
    take_up = [button("records_resume", _("Go on with this game"), "primary")] if options else []
    return {
        "id": "records-games",
        "title": _("Games to go on with"),
        "blocks": blocks,
        "buttons": [*take_up, button("records", _("Back"))],
    }


def players(names: Sequence[str], current: str) -> Dialog:
    """The window of players in this browser: who plays, a new one, and deleting all that is kept of one."""
    names = list(dict.fromkeys([*names, current]))
    return {
        "id": "records-players",
        "title": _("Players"),
        "blocks": [
            {
                "kind": "choice",
                "name": "player",
                "label": _("Who plays?"),
                "options": [*((name, player_label(name)) for name in names), (NEW_PLAYER, _("Somebody new:"))],
                "value": current,
            },
            {
                "kind": "field",
                "name": "name",
                "label": _("Name of the new player"),
                "help": _(
                    "No password is needed: this browser has a secret key that keeps its players apart from all others."
                ),
            },
        ],
        "buttons": [
            button("records_play", _("Play"), "primary"),
            button("records_rename", _("Give the chosen player this name")),
            button("records_delete", _("Delete the chosen player…")),
            button("records", _("Back")),
        ],
    }


def confirm_delete(name: str, games: int) -> Dialog:
    """The question before everything about a player is deleted."""
    return {
        "id": "records-delete",
        "title": _("Delete everything about {player}?").format(player=player_label(name)),
        "blocks": [
            {
                "kind": "text",
                "text": ngettext(
                    "{n} game, its statistics and places in classes are deleted. This cannot be undone.",
                    "{n} games, their statistics and places in classes are deleted. This cannot be undone.",
                    games,
                ),
            }
        ],
        "buttons": [button("records_delete_now", _("Delete")), button("records_players", _("Cancel"), "primary")],
    }


def files(count: int, note: str = "") -> Dialog:
    """The window of export and import."""
    return {
        "id": "records-files",
        "title": _("Export and import"),
        "blocks": [
            {"kind": "text", "text": note or ngettext("{n} game is recorded.", "{n} games are recorded.", count)},
            {
                "kind": "file",
                "name": "file",
                "label": _("A file of games, as CSV or transcripts"),
                "accept": ".csv,.txt",
                "into": "games",
            },
            {
                "kind": "field",
                "name": "games",
                "label": _("or its text"),
                "long": 4,
                "help": _("Each game is played through before it is taken; games that are here already are left out."),
            },
        ],
        "buttons": [
            button("records_import", _("Import")),
            button("records_csv", _("Save all as CSV")),
            button("records_transcripts", _("Save all as transcripts")),
            button("records", _("Back"), "primary"),
        ],
    }


# Classes -------------------------------------------------------------------------------------------------------------


def classroom_address() -> str:
    """Return where the teacher's page is on the server that shows the game; "" where no Voila shows it."""
    base = os.environ.get("VOILA_BASE_URL", "")
    # A kernel made in advance does not know its page, which is the game at the root address then.
    beside, _slash, name = os.environ.get("SCRIPT_NAME", "").rpartition("/")
    if not base:
        return ""
    return f"{beside}/classroom.ipynb" if name.endswith(".ipynb") else f"{base}voila/render/classroom.ipynb"


def ask_class() -> Dialog:
    """The question for the code of a class, for whoever has no link; and the way to the teacher's page."""
    address = classroom_address()
    return {
        "id": "class-ask",
        "title": _("Join a class"),
        "blocks": [
            {
                "kind": "field",
                "name": "class",
                "label": _("Code of the class"),
                "help": _("The teacher's page shows it."),
                "focus": True,
            },
            *([{"kind": "link", "href": address, "label": _("For teachers: open a class")}] if address else []),
        ],
        "buttons": [button("class_find", _("To the class"), "primary"), button("records", _("Back"))],
    }


def join_class(task: Task, name: str = "", *, is_other: bool = False) -> Dialog:
    """The question for a name with which a learner joins a class; `is_other`: one more learner at the same browser."""
    limit = [{"kind": "text", "text": time_text(task.time_limit)}] if task.time_limit is not None else []
    deals = ngettext(
        "The class plays {n} deal: {rules}.",
        "The class plays {n} deals: {rules}.",
        len(task.deals),
        rules=_titles(task.rules),
    )
    return {
        "id": "class-join",
        "title": task.title or _("Class {code}").format(code=task.code),
        "blocks": [
            {"kind": "text", "text": deals},
            *limit,
            {"kind": "text", "text": _("Hints are allowed.") if task.hints_allowed else _("Hints are not allowed.")},
            {"kind": "field", "name": "name", "label": _("Your name in the class"), "value": name, "focus": True},
        ],
        "buttons": [
            button("class_join", _("Join"), "primary"),
            button("close", _("Back to the game")) if is_other else button("class_leave", _("Play without the class")),
        ],
    }


def time_text(seconds: float) -> str:
    """Return how much time there is for a class."""
    minutes = max(1, round(seconds / 60))
    return ngettext(
        "There is {n} minute for it, from joining on.", "There are {n} minutes for it, from joining on.", minutes
    )


def class_deals(task: Task, tries: Sequence[Try], seconds_left: float | None, note: str = "") -> Dialog:
    """The window of a class for a learner: its deals, what has become of each, and which one to play."""
    options = []
    for number, code in enumerate(task.deals, 1):
        mine = [made.facts for made in tries if made.deal == number]
        about = ", ".join(outcome_label(game) for game in mine[-3:]) or _("not played yet")
        options.append((str(number), _("Deal {number}: {code}").format(number=number, code=_short_code(code)), about))
    blocks: list[dict[str, Any]] = [{"kind": "text", "text": note}] if note else []
    if seconds_left is not None:
        blocks.append({"kind": "text", "text": _("Time left: {time}").format(time=duration(seconds_left))})
    next_one = next((str(n) for n in range(1, len(task.deals) + 1) if not is_solved(tries, n)), "1")
    blocks.append({"kind": "choice", "name": "deal", "label": _("The deals"), "options": options, "value": next_one})
    return {
        "id": "class",
        "title": task.title or _("Class {code}").format(code=task.code),
        "blocks": blocks,
        "buttons": [
            button("class_play", _("Play this deal"), "primary"),
            button("close", _("Back to the game")),
            button("class_other", _("Another learner…")),
            button("class_leave", _("Leave the class")),
        ],
    }


def is_solved(tries: Sequence[Try], deal: int) -> bool:
    """Tell whether a deal of the class is won."""
    return any(made.facts.is_won for made in tries if made.deal == deal)


def class_over(sentence: str) -> Dialog:
    """What a learner reads when the time is over or the class is closed."""
    return {
        "id": "class-over",
        "title": _("The class is over for you"),
        "blocks": [{"kind": "text", "text": sentence}],
        "buttons": [
            button("close", _("Look at the table"), "primary"),
            button("class_leave", _("Play something else")),
        ],
    }
