"""The dialogs as data: what the companion shows in a window, with all texts ready. Knows no widget and changes no game.

A dialog is a dict: `id`, `title`, `blocks` and `buttons`. The kinds of blocks are those of `companion.js`: text, section,
figures, field, file, select, choice, switch, log. A button's `action` comes back with the values of all fields.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any

from pyramide_core.explain import explain, summary, title
from pyramide_core.game import Game
from pyramide_core.messages import _, available_languages, language, language_name, ngettext, pgettext
from pyramide_core.moves import Move
from pyramide_core.options import option_help, value_label
from pyramide_core.rules import VARIANTS, Rules, value_text
from pyramide_core.solver.grading import measure_text
from pyramide_core.solver.reviewing import Review
from pyramide_core.transcript import Transcript
from pyramide_core.wording import duration

Dialog = dict[str, Any]
PREFERENCES: Mapping[str, Any] = MappingProxyType(
    {"error_help": False, "verdict": False, "language": "", "theme": "auto", "colours": "two", "cards": "normal"}
)
"""What a player can switch in the options, with what holds before; a page keeps them for the next visit."""


def button(action: str, label: str, kind: str = "plain") -> dict[str, str]:
    """Return a button of a dialog; the kind is `primary` or `plain`."""
    return {"action": action, "label": label, "kind": kind}


def new_game(rules: Rules) -> Dialog:
    """The New game window: rule set, and a code or cards to deal; an empty field deals at random."""
    offered = {name: VARIANTS[name] for name in VARIANTS}
    if not rules.name:
        offered = {rules.text: rules, **offered}
    choices = [(text, title(one)) for text, one in offered.items()]
    return {
        "id": "new",
        "title": _("New game"),
        "blocks": [
            {
                "kind": "select",
                "name": "rules",
                "label": _("Rules"),
                "options": choices,
                "value": rules.text,
                # What the chosen rules are, in one line that follows the choice.
                "helps": {text: summary(one) for text, one in offered.items()},
            },
            {
                "kind": "select",
                "name": "wanted",
                "label": _("Difficulty"),
                "options": [
                    ("any", _("any deal")),
                    ("winnable", _("can be won")),
                    ("easy", _("easy")),
                    ("medium", _("medium")),
                    ("hard", _("hard")),
                ],
                "value": "any",
                "help": measure_text(),
            },
            {
                "kind": "field",
                "name": "code",
                "label": _("Code or cards"),
                "placeholder": _("empty: a random deal"),
                "help": _("Paste a code such as PY1-N-AAAAAAS, or 52 cards: apex first, then the talon."),
                "focus": True,
                "long": 2,
                "enter": True,
            },
        ],
        "buttons": [
            button("deal", pgettext("button", "Deal"), "primary"),
            button("today", _("Deal of the day")),
            button("custom", _("Mix your own rules…")),
            button("close", _("Cancel")),
        ],
    }


def custom_rules(rules: Rules) -> Dialog:
    """The panel for a rule set of one's own: each option as a labelled choice with a sentence on what it changes."""
    return {
        "id": "custom",
        "title": _("Mix your own rules"),
        "blocks": [
            {"kind": "text", "name": "summary", "text": summary(rules)},
            {"kind": "notice", "name": "mix", "text": " ".join(rules.contradictions())},
            {"kind": "group", "blocks": [_option_block(field.name, rules) for field in fields(Rules)]},
            {
                "kind": "field",
                "name": "text",
                "label": _("Short form, for links and transcripts"),
                "value": rules.text,
                "help": _("It can also be changed here; “{button}” reads it.").format(button=_("Read the short form")),
            },
        ],
        "buttons": [
            button("play_custom", _("Play these rules"), "primary"),
            button("read_custom", _("Read the short form")),
            button("close", _("Cancel")),
        ],
    }


def _option_block(option: str, rules: Rules) -> dict[str, Any]:
    told = option_help(option)
    now = getattr(rules, option)
    choices = [(choice.text, choice.label) for choice in told.choices]
    if value_text(now) not in dict(choices):
        choices.append((value_text(now), value_label(option, now)))
    return {
        "kind": "select",
        "name": option,
        "label": told.label,
        "help": told.sentence,
        "options": choices,
        "value": value_text(now),
        "live": True,
    }


def transcript(game: Game) -> Dialog:
    """The window for a game as text: copy it, save it, or paste and open another and watch it."""
    return {
        "id": "transcript",
        "title": _("Transcript"),
        "blocks": [
            {
                "kind": "field",
                "name": "transcript",
                "label": _("This game, or one pasted here"),
                "help": _("D draws, R recycles, U takes back; 10C+3S removes the 10 of clubs and the 3 of spades."),
                "value": Transcript.from_game(game).write(),
                "long": 12,
            },
            {
                "kind": "file",
                "name": "file",
                "label": _("Open a file"),
                "accept": ".txt,.pyramide,text/plain",
                "into": "transcript",
            },
        ],
        "buttons": [
            button("replay", _("Watch it"), "primary"),
            button("copy_transcript", _("Copy")),
            button("save_transcript", _("Save")),
            button("review", _("Review of this game")),
            button("close", _("Close")),
        ],
    }


def _figures(game: Game) -> dict[str, Any]:
    return {
        "kind": "figures",
        "items": [
            (_("Score"), str(game.score)),
            (_("Moves"), str(game.moves)),
            (_("Time"), duration(game.clock.elapsed)),
            (_("Passes"), str(game.recycles + 1)),
            (_("Undos"), str(game.undos)),
        ],
    }


def won(game: Game) -> Dialog:
    """The panel of a won game, with its figures."""
    return {
        "id": "won",
        "title": _("You have won!"),
        "blocks": [
            {"kind": "text", "text": _("The deal {code} is solved.").format(code=game.deal.code)},
            _figures(game),
        ],
        "buttons": [
            button("new", _("New game"), "primary"),
            button("restart", _("The same deal again")),
            button("review", _("Review")),
            button("close", _("Look at the table")),
        ],
    }


def dead_end(game: Game) -> Dialog:
    """The panel of a game without a move; where the rules allow no undo it offers none."""
    return {
        "id": "dead-end",
        "title": _("No more moves can be made"),
        "blocks": [
            {"kind": "text", "text": _left_text(game)},
            _figures(game),
        ],
        "buttons": [
            *([button("undo", _("Undo"), "primary")] if game.can_undo else []),
            button("new", _("New game"), "plain" if game.can_undo else "primary"),
            button("restart", _("The same deal again")),
            button("review", _("Review")),
        ],
    }


def _left_text(game: Game) -> str:
    """Say how many cards still stood between the player and the goal."""
    if game.rules.goal == "all":
        left = game.position.remaining.bit_count()
        return ngettext("{n} card is left.", "{n} cards are left.", left)
    left = (game.position.tableau & game.position.table.goal).bit_count()
    return ngettext("{n} card is left in the pyramid.", "{n} cards are left in the pyramid.", left)


def review(found: Review | None, name_of: Callable[[Move], str]) -> Dialog:
    """The review of a game: the shortest win beside the player's own moves, with what those gave away.

    Without a review the window says that it is on its way.
    """
    waiting = {"kind": "text", "text": _("The solver is looking at every move of your game…")}
    buttons = [button("close", _("Back to the table"), "primary")]
    if found is not None and found.shortest.line is not None:
        buttons.insert(0, button("watch_shortest", _("Watch the shortest win")))
    return {
        "id": "review",
        "title": _("Review"),
        "live": True,
        "blocks": [waiting] if found is None else [*_review_texts(found), _review_table(found, name_of)],
        "buttons": buttons,
    }


def _review_texts(found: Review) -> list[dict[str, Any]]:
    return [{"kind": "text", "text": text} for text in found.texts]


def _review_table(found: Review, name_of: Callable[[Move], str]) -> dict[str, Any]:
    """Two games side by side, move by move; a mark in words stands beside each move that gave something away."""
    best = found.shortest.line or ()
    rows = []
    for number in range(max(len(found.moves), len(best))):
        own = found.moves[number] if number < len(found.moves) else None
        note = ""
        if own is not None and own.is_losing:
            note = _("lost the game")
        elif own is not None and own.wasted:
            note = ngettext("{n} move more", "{n} moves more", own.wasted)
        rows.append(
            (
                str(number + 1),
                name_of(own.move) if own else "",
                note,
                name_of(best[number]) if number < len(best) else "",
            )
        )
    return {
        "kind": "table",
        "title": _("Your game and the shortest win"),
        "head": [_("Move"), _("Your game"), _("What it gave away"), _("Shortest win")],
        "rows": rows,
    }


def explanation(rules: Rules) -> Dialog:
    """The rules being played, in words made from their data."""
    told = explain(rules)
    return {
        "id": "rules",
        "title": told.title,
        "blocks": [
            {"kind": "text", "text": told.summary},
            *({"kind": "warning", "text": sentence} for sentence in told.contradictions),
            *(
                {"kind": "section", "title": section.title, "sentences": list(section.sentences)}
                for section in told.sections
            ),
        ],
        "buttons": [button("close", _("Back to the game"), "primary")],
    }


def options(preferences: Mapping[str, Any]) -> Dialog:
    """The switches of the player; each works at once."""
    return {
        "id": "options",
        "title": _("Options"),
        "blocks": [
            {
                "kind": "select",
                "name": "language",
                "label": _("Language"),
                "options": [(code, language_name(code)) for code in available_languages()],
                "value": language(),
                "live": True,
            },
            {
                "kind": "switch",
                "name": "error_help",
                "label": _("Error help"),
                "help": _("Says why a touched card cannot be played."),
                "value": preferences["error_help"],
                "live": True,
            },
            {
                "kind": "switch",
                "name": "verdict",
                "label": _("Say whether the game can still be won"),
                "help": _("An exact search looks at every way to go on, face-down cards too."),
                "value": preferences["verdict"],
                "live": True,
            },
            {
                "kind": "choice",
                "name": "theme",
                "label": _("Light or dark"),
                "options": [("auto", _("as the system")), ("light", _("light")), ("dark", _("dark"))],
                "value": preferences["theme"],
                "live": True,
            },
            {
                "kind": "choice",
                "name": "colours",
                "label": _("Colours of the suits"),
                "options": [("two", _("two: red and black")), ("four", _("four: one for each suit"))],
                "value": preferences["colours"],
                "live": True,
            },
            {
                "kind": "choice",
                "name": "cards",
                "label": _("Size of the card corners"),
                "options": [("normal", _("normal")), ("large", _("large"))],
                "value": preferences["cards"],
                "live": True,
            },
        ],
        "buttons": [button("close", _("Done"), "primary")],
    }
