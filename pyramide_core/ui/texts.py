"""The fixed texts that the page needs, from the catalogue: templates whose `{places}` the companion fills."""

from pyramide_core.messages import _, language, pgettext


def page_texts() -> dict[str, str]:
    """Return the companion's texts by name, in the language in force."""
    return {
        "lang": language(),
        # Translators: "ltr" where your language is written from left to right, else "rtl".
        "direction": pgettext("direction of writing", "ltr"),
        "table": _("Pyramide table"),
        "named": _("{name}, {state}"),
        "blocked": _("blocked"),
        "available": _("available"),
        "selected": _("selected"),
        "face_down": _("face down"),
        "verdict": _("Can it be won?"),
        "score": _("Score"),
        "moves": _("Moves"),
        "time": _("Time"),
        "copy": _("Copy the code"),
        "copy_code": _("Copy the code {code}"),
        "copied": _("Copied: {code}"),
        "not_copied": _("The browser does not let this page copy. The text is: {code}"),
        "lessons": _("Lessons"),
        "close": _("Close"),
        "paused": _("Paused. Go on"),
        "replay": _("Replay"),
        "replay_first": _("To the deal"),
        "replay_previous": _("One move back"),
        "replay_play": _("Play the moves"),
        "replay_pause": _("Hold"),
        "replay_next": _("One move on"),
        "replay_last": _("To the end"),
        "replay_slider": _("Moves played"),
        "replay_speed": _("Moves a second"),
        "replay_go_on": _("Play on from here"),
        "replay_leave": _("Back to the game"),
        "fan": _("Stock cards, next first"),
    }
