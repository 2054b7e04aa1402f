"""The dashboard without a browser: what the page says and the buttons do, and what the page is told."""

from dataclasses import fields

import pytest

from pyramide_core.deals import Deal
from pyramide_core.explain import summary
from pyramide_core.game import Game
from pyramide_core.rules import VARIANTS, Rules
from pyramide_core.transcript import Transcript
from pyramide_core.ui import Dashboard, dialogs
from tests.lines import DOCUMENTED, KNOWN, WON_CODE, WON_LINE, stuck
from tests.widgets import Wire, answer, button_of, click, nothing_logged, state_of, tell, wire

__all__ = ["nothing_logged", "wire"]


@pytest.fixture
def table() -> Dashboard:
    """A dashboard whose page has opened the documented deal."""
    dashboard = Dashboard()
    tell(dashboard, event="ready", query=f"?code={DOCUMENTED}", languages=["en"])
    return dashboard


def press(table: Dashboard, text: str) -> None:
    """Press a button below the table."""
    [button] = [button for button in table.actions_box.children if button.description == text]
    # A disabled button of a page cannot be pressed; `click` of a widget would go through.
    assert not button.disabled
    button.click()


def is_disabled(table: Dashboard, text: str) -> bool:
    return next(button.disabled for button in table.actions_box.children if button.description == text)


def message(table: Dashboard) -> str:
    return str(table.companion.message["text"])


def play(table: Dashboard, line: list[str]) -> None:
    for move in line:
        if move == "U":
            press(table, "Undo")
        else:
            click(table, *(["stock"] if move in "DR" else move.split("+")))


def labels(table: Dashboard) -> list[str]:
    return [button["label"] for button in table.companion.dialog["buttons"]]


def open_transcript(table: Dashboard, text: str) -> None:
    press(table, "Transcript")
    answer(table, "replay", transcript=text)


# Opening -----------------------------------------------------------------------------------------------------------


def test_nothing_is_dealt_before_the_page_asks() -> None:
    dashboards = [Dashboard(), Dashboard()]
    for dashboard in dashboards:
        assert (dashboard.game, dashboard.companion.code, dashboard.companion.state) == (None, "", "")
        assert {button.description for button in dashboard.buttons.values()} == {"\u00a0"}
        for button in dashboard.actions_box.children:
            if not button.disabled and button.description != "New game":
                button.click()
        tell(dashboard, event="ready", query="", languages=["en"])
    codes = {dashboard.companion.code for dashboard in dashboards}
    # Two visitors of a page prepared in advance; the same seed twice is one chance in 2 ** 35.
    assert len(codes) == 2
    assert all(code.startswith("PY1-N-") for code in codes)


def test_the_page_may_be_opened_a_second_time(table: Dashboard) -> None:
    click(table, "KD")
    tell(table, event="ready", query="?code=PY1-N-AAAAAAJ", languages=["en"])
    assert (table.companion.code, table.companion.figures) == (DOCUMENTED, {"score": 10, "moves": 1})


def test_a_link_names_deal_and_rules() -> None:
    dashboard = Dashboard()
    tell(dashboard, event="ready", query="?code=%20py1-n-aaaaaaj&rules=Thirteen-Three-Piles&other=1")
    assert dashboard.companion.code == "PY1-N-AAAAAAJ"
    assert dashboard.game.rules == VARIANTS["thirteen_three_piles"]
    assert dashboard.companion.title == "Thirteen, three piles"
    assert dashboard.companion.message["kind"] == "info"


def test_a_link_with_a_mix_of_rules() -> None:
    dashboard = Dashboard()
    tell(dashboard, event="ready", query="?rules=mix,passes=2,goal=all")
    assert dashboard.game.rules == Rules(passes=2, goal="all")


@pytest.mark.parametrize(
    ("query", "says", "code", "rules"),
    [
        ("?code=XY1-N-AAAAAAS", "PY1", None, "pyramide"),
        ("?code=PY1-N-AAAAAA1", "1", None, "pyramide"),
        ("?code=", "", None, "pyramide"),
        (f"?code={DOCUMENTED}&rules=poker", "There is no rule set “poker”", DOCUMENTED, "pyramide"),
        ("?rules=mix,passes=0", "passes cannot be “0”", None, "pyramide"),
        ("?rules=thirteen&code=%FF%FE", "�", None, "thirteen"),
        ("?rules=poker&code=PY1-N-", "There is no rule set “poker”", None, "pyramide"),
        ("?code=" + "A" * 100_000, "…", None, "pyramide"),
        ("?" + "&" * 1000, "", None, "pyramide"),
    ],
)
def test_what_is_wrong_in_a_link_is_said_beside_a_game(query: str, says: str, code: str | None, rules: str) -> None:
    dashboard = Dashboard()
    tell(dashboard, event="ready", query=query)
    assert dashboard.game.rules == VARIANTS[rules]
    assert says in message(dashboard)
    assert len(message(dashboard)) < 300
    if code:
        assert dashboard.companion.code == code
    elif says:
        assert message(dashboard).endswith("This is a new deal instead.")
    assert dashboard.companion.message["kind"] == ("warning" if says else "info")
    click(dashboard, "stock") if "stock" in dashboard.buttons else None
    assert dashboard.companion.figures["moves"] == 1


def test_the_address_of_the_page_names_the_game(table: Dashboard, wire: Wire) -> None:
    table.new_game(KNOWN, Rules(passes=2))
    assert wire.orders[-1] == {"do": "address", "values": {"code": KNOWN.code, "rules": "mix,passes=2"}}
    table.new_game(Deal.from_code(DOCUMENTED), VARIANTS["pyramide"])
    assert wire.orders[-1] == {"do": "address", "values": {"code": DOCUMENTED, "rules": ""}}


# New games ---------------------------------------------------------------------------------------------------------


def test_a_new_game_is_random_under_the_same_rules(table: Dashboard) -> None:
    table.new_game(rules=VARIANTS["thirteen"])
    codes = {DOCUMENTED, table.companion.code}
    for _ in range(3):
        press(table, "New game")
        assert table.companion.dialog["id"] == "new"
        answer(table, "deal")
        assert (table.companion.dialog, table.game.rules) == ({}, VARIANTS["thirteen"])
        assert message(table) == f"A new game: {table.companion.code}"
        codes.add(table.companion.code)
    assert len(codes) == 5


@pytest.mark.parametrize("text", ["PY1-N-AAAAAAJ", " py1-n-aaaaaaj\n", "py1 – n — aaaa aaj", "PY1‑N‑AAAAAAJ"])
def test_a_code_in_any_dress_deals_the_same_cards(table: Dashboard, text: str) -> None:
    press(table, "New game")
    answer(table, "deal", code=text)
    assert (table.companion.code, table.companion.dialog) == ("PY1-N-AAAAAAJ", {})


def test_a_deck_as_text_is_dealt_and_its_code_deals_it_again(table: Dashboard) -> None:
    press(table, "New game")
    answer(table, "deal", code=KNOWN.text)
    assert [place[3] for place in table.companion.places] == KNOWN.text.split()[:28]
    code = table.companion.code
    assert code.startswith("PY1-X-")
    # Fifty letters say nothing to a person; the code stands above the table.
    assert message(table) == f"A new game: {code[:19]}…"
    press(table, "New game")
    answer(table, "deal", code="", rules="classic")
    press(table, "New game")
    answer(table, "deal", code=code, rules="pyramide")
    assert [place[3] for place in table.companion.places] == KNOWN.text.split()[:28]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("XY1-N-AAAAAAS", "PY1"),
        ("PY1-N-AAAAA1S", "1"),
        ("PY1-N-AAAAAA", "7"),
        (KNOWN.code[:-1] + ("A" if KNOWN.code[-1] != "A" else "B"), "check"),
        (KNOWN.text.replace("JD", "JX"), "Card 1 cannot be read: “JX”"),
        (KNOWN.text.replace("JD", "6C", 1), "6♣"),
        (KNOWN.text.rsplit(" ", 1)[0], "Missing: 9♠"),
        ("hello", "hello"),
    ],
)
def test_a_wrong_code_or_deck_keeps_the_window_open(table: Dashboard, text: str, reason: str) -> None:
    press(table, "New game")
    window = dict(table.companion.dialog)
    answer(table, "deal", code=text)
    problem = table.companion.problem
    assert (problem["field"], table.companion.dialog) == ("code", window)
    assert reason in problem["text"]
    assert table.companion.code == DOCUMENTED
    answer(table, "close")
    assert (table.companion.dialog, table.companion.problem) == ({}, {})
    press(table, "New game")
    assert table.companion.problem == {}


def test_restart_deals_the_same_cards_at_zero(table: Dashboard) -> None:
    play(table, ["KD", "D", "U"])
    press(table, "Restart")
    assert (table.companion.code, table.companion.figures) == (DOCUMENTED, {"score": 0, "moves": 0})
    assert table.companion.state == "b" * 21 + "a" * 7
    assert table.companion.piles["stock"]["count"] == 23
    assert table.companion.clock == {"elapsed": 0, "running": False}
    assert is_disabled(table, "Undo")
    assert message(table) == "The same deal from the start."


def test_undo_and_pause_can_be_pressed_when_there_is_something_to_undo_or_to_stop(table: Dashboard) -> None:
    assert (is_disabled(table, "Undo"), is_disabled(table, "Pause")) == (True, True)
    click(table, "KD")
    assert (is_disabled(table, "Undo"), is_disabled(table, "Pause")) == (False, False)
    press(table, "Undo")
    assert (is_disabled(table, "Undo"), is_disabled(table, "Pause")) == (True, False)


# Pause -------------------------------------------------------------------------------------------------------------


def test_a_paused_game_stands_still_and_cannot_be_played(table: Dashboard) -> None:
    click(table, "KD")
    press(table, "Pause")
    assert (table.companion.paused, table.companion.clock["running"]) == (True, False)
    before = table.game.position
    click(table, "stock", "10C", "3S")
    table.actions_box.children[0].click()
    assert (table.game.position, table.companion.figures) == (before, {"score": 10, "moves": 1})
    assert message(table) == "The game is paused."
    press(table, "Pause")
    assert (table.companion.paused, message(table)) == (False, "The game goes on.")
    click(table, "10C", "3S")
    assert (table.companion.figures, table.companion.clock["running"]) == ({"score": 30, "moves": 2}, True)


def test_a_new_game_out_of_a_pause_is_not_paused(table: Dashboard) -> None:
    click(table, "KD")
    press(table, "Pause")
    press(table, "Restart")
    assert table.companion.paused is False
    click(table, "KD")
    assert table.companion.clock["running"] is True


# The end of a game -------------------------------------------------------------------------------------------------


def test_a_won_game_opens_its_panel() -> None:
    dashboard = Dashboard()
    tell(dashboard, event="ready", query=f"?code={WON_CODE}")
    play(dashboard, [*WON_LINE[:10], "D", "U", *WON_LINE[10:-1]])
    assert dashboard.companion.dialog == {}
    play(dashboard, WON_LINE[-1:])
    dialog = dashboard.companion.dialog
    assert (dialog["id"], dialog["title"]) == ("won", "You have won!")
    figures = {
        name: value for block in dialog["blocks"] if block["kind"] == "figures" for name, value in block["items"]
    }
    assert (figures["Score"], figures["Moves"], figures["Undos"], figures["Passes"]) == ("280", "47", "1", "2")
    assert (is_disabled(dashboard, "Undo"), is_disabled(dashboard, "Pause")) == (True, True)
    assert dashboard.companion.clock["running"] is False
    answer(dashboard, "restart")
    assert (dashboard.companion.dialog, dashboard.companion.code) == ({}, WON_CODE)
    assert dashboard.companion.figures == {"score": 0, "moves": 0}


def test_a_dead_end_opens_its_panel_with_a_way_back_and_a_way_on() -> None:
    deal, line = stuck()
    dashboard = Dashboard()
    tell(dashboard, event="ready", query=f"?code={deal.code}")
    play(dashboard, line)
    dialog = dashboard.companion.dialog
    assert dialog["title"] == "No more moves can be made"
    assert "8 cards are left in the pyramid." in [block.get("text") for block in dialog["blocks"]]
    assert {"Undo", "New game"} <= set(labels(dashboard))
    answer(dashboard, "undo")
    assert dashboard.companion.dialog == {}
    assert dashboard.companion.piles["waste0"]["card"] == line[-1]
    assert dashboard.companion.figures == {"score": 200, "moves": len(line)}
    click(dashboard, line[-1])
    assert dashboard.companion.dialog["title"] == "No more moves can be made"
    assert dashboard.companion.figures["moves"] == len(line) + 1
    answer(dashboard, "new")
    assert (dashboard.companion.dialog, dashboard.companion.figures["moves"]) == ({}, 0)
    assert dashboard.companion.code != deal.code


def test_a_dead_end_offers_no_undo_where_the_rules_allow_none_and_counts_what_the_goal_counts() -> None:
    # A small pyramid, and a stock that two draws turn over: what lies deep in the waste can never go.
    dashboard = Dashboard()
    rules = "mix,layout=pyramid_3,draws_at_start=0,draw_count=23,passes=1,undo_limit=0,goal=all"
    tell(dashboard, event="ready", query=f"?code={DOCUMENTED}&rules={rules}")
    click(dashboard, "AS", "QS", "stock", "stock")
    for _ in range(60):
        moves = list(dashboard.game.position.legal_moves())
        if not moves:
            break
        dashboard.play(moves[0])
    dialog = dashboard.companion.dialog
    left = 52 - len(dashboard.game.position.foundation)
    assert f"{left} cards are left." in [block.get("text") for block in dialog["blocks"]]
    assert labels(dashboard) == ["New game", "The same deal again", "Review"]
    assert dialog["buttons"][0]["kind"] == "primary"


# The dialogs -------------------------------------------------------------------------------------------------------


def test_the_error_help_is_switched_in_mid_game_and_kept_for_the_next(table: Dashboard) -> None:
    click(table, "QC")
    assert message(table) == ""
    press(table, "Options")
    answer(table, "change:error_help", error_help=True)
    assert table.companion.dialog["id"] == "options"
    assert table.companion.preferences["error_help"] is True
    answer(table, "close")
    click(table, "QC")
    assert message(table) == "This card is blocked by another card"
    press(table, "Restart")
    click(table, "QC")
    assert message(table) == "This card is blocked by another card"


def test_preferences_of_the_last_visit_come_back_and_nonsense_is_let_go() -> None:
    dashboard = Dashboard()
    kept = {"error_help": True, "theme": "dark", "cards": 7, "colours": None, "unknown": "x"}
    tell(dashboard, event="ready", query="", preferences=kept)
    press(dashboard, "Options")
    values = {block["name"]: block["value"] for block in dashboard.companion.dialog["blocks"] if "value" in block}
    assert (values["error_help"], values["theme"], values["cards"], values["colours"]) == (
        True,
        "dark",
        "normal",
        "two",
    )
    assert dashboard.game.error_help is True


def test_the_rules_are_shown_beside_the_game(table: Dashboard) -> None:
    table.new_game(rules=VARIANTS["giza"])
    press(table, "Rules")
    dialog = table.companion.dialog
    assert (dialog["id"], dialog["title"]) == ("rules", "Giza")
    titles = [block["title"] for block in dialog["blocks"] if block["kind"] == "section"]
    assert len(titles) >= 5
    answer(table, "close")
    assert table.companion.dialog == {}


@pytest.mark.parametrize("name", VARIANTS)
def test_every_rule_set_can_be_chosen_in_the_new_game_window(table: Dashboard, name: str) -> None:
    press(table, "New game")
    [choice] = [block for block in table.companion.dialog["blocks"] if block.get("name") == "rules"]
    assert [value for value, _label in choice["options"]] == list(VARIANTS)
    answer(table, "deal", rules=name, code=DOCUMENTED)
    assert (table.game.rules, table.companion.code) == (VARIANTS[name], DOCUMENTED)
    assert table.companion.title == dict(choice["options"])[name]
    # What the chosen rules are is said before they are played.
    assert choice["helps"][name] == summary(VARIANTS[name])


# Rules of one's own ------------------------------------------------------------------------------------------------


def open_mix(table: Dashboard, rules: str = "pyramide") -> None:
    press(table, "New game")
    answer(table, "custom", rules=rules)
    assert table.companion.dialog["id"] == "custom"


def mix_values(table: Dashboard) -> dict[str, str]:
    [group] = [block for block in table.companion.dialog["blocks"] if block["kind"] == "group"]
    return {block["name"]: block["value"] for block in group["blocks"]}


def test_the_panel_has_a_labelled_choice_with_a_sentence_for_each_option(table: Dashboard) -> None:
    open_mix(table, "three_passes")
    [group] = [block for block in table.companion.dialog["blocks"] if block["kind"] == "group"]
    assert [block["name"] for block in group["blocks"]] == [field.name for field in fields(Rules)]
    for block in group["blocks"]:
        assert block["label"]
        assert block["help"].endswith(".")
        assert block["value"] in dict(block["options"])
    assert (mix_values(table)["passes"], mix_values(table)["stock_playable"]) == ("3", "yes")


def test_a_contradiction_is_explained_at_once_and_goes_when_it_is_mended(table: Dashboard) -> None:
    open_mix(table)
    answer(table, "change:undo_limit", undo_limit="0", undo_counts="yes")
    assert table.companion.problem["field"] == "mix"
    assert table.companion.problem["text"] == "No undo is allowed, so it changes nothing that an undo counts as a move."
    assert table.companion.problem["values"] == {"text": "mix,undo_limit=0,undo_counts=yes"}
    assert table.companion.problem["texts"] == {"summary": summary(Rules())}
    answer(table, "change:undo_limit", undo_limit="unlimited", undo_counts="yes")
    assert (table.companion.problem["field"], table.companion.problem["text"]) == ("mix", "")
    assert table.companion.problem["values"] == {"text": "mix,undo_limit=unlimited,undo_counts=yes"}


def test_the_line_that_sums_the_mix_up_follows_the_choices(table: Dashboard) -> None:
    open_mix(table)
    answer(table, "change:passes", passes="2", goal="all")
    assert table.companion.problem["texts"] == {"summary": "Pyramid of 7 rows · 2 passes · clear all cards"}
    [line] = [block for block in table.companion.dialog["blocks"] if block.get("name") == "summary"]
    assert (line["kind"], line["text"]) == ("text", summary(Rules()))


def test_a_mix_that_cannot_be_played_is_explained_and_not_mended(table: Dashboard) -> None:
    open_mix(table)
    answer(table, "change:waste_piles", waste_piles="2")
    assert table.companion.problem["field"] == "mix"
    assert "“Cards of one draw” (draw_count=1) must be a multiple of" in table.companion.problem["text"]
    answer(table, "play_custom", waste_piles="2")
    assert table.companion.dialog["id"] == "custom"
    assert table.game.rules == VARIANTS["pyramide"]


def test_a_mix_is_played_and_its_short_form_reads_back(table: Dashboard, wire: Wire) -> None:
    open_mix(table, "apophis")
    answer(table, "play_custom", passes="1", stock_face_up="yes")
    mixed = table.game.rules
    assert (mixed.passes, mixed.stock_face_up, mixed.waste_piles, mixed.goal, mixed.name) == (1, True, 3, "all", "")
    assert wire.orders[-1]["values"]["rules"] == mixed.text
    again = Dashboard()
    tell(again, event="ready", query=f"?rules={mixed.text}")
    assert again.game.rules == mixed
    press(table, "New game")
    [choice] = [block for block in table.companion.dialog["blocks"] if block.get("name") == "rules"]
    assert choice["value"] == mixed.text
    assert mixed.text in dict(choice["options"])
    answer(table, "deal")
    assert table.game.rules == mixed


def test_the_short_form_can_be_typed_and_what_is_wrong_in_it_is_said(table: Dashboard) -> None:
    open_mix(table)
    answer(table, "read_custom", text="mix,passes=none")
    assert (table.companion.problem["field"], table.companion.dialog["id"]) == ("text", "custom")
    assert "passes cannot be “none”" in table.companion.problem["text"]
    answer(table, "read_custom", text="giza,undo_counts=yes")
    assert (mix_values(table)["layout"], mix_values(table)["undo_counts"]) == ("giza", "yes")
    assert table.companion.problem == {}
    answer(table, "read_custom", text="mix,passes=77")
    # A number that is not among the usual ones is shown all the same.
    assert mix_values(table)["passes"] == "77"
    answer(table, "play_custom")
    assert table.game.rules == Rules(passes=77)


# Transcripts and replays -------------------------------------------------------------------------------------------

LINE = "KD 10C+3S D*2 U D R"


def test_the_window_holds_the_game_as_text(table: Dashboard, wire: Wire) -> None:
    play(table, ["KD", "10C+3S", "D", "U"])
    press(table, "Transcript")
    [field] = [block for block in table.companion.dialog["blocks"] if block.get("name") == "transcript"]
    text = field["value"]
    read = Transcript.parse(text)
    assert (read.deal.code, read.rules, read.score, read.moves) == (DOCUMENTED, VARIANTS["pyramide"], 30, 3)
    assert [str(entry) for entry in read.entries] == ["KD", "10C+3S", "D", "U"]
    answer(table, "copy_transcript")
    assert wire.orders[-1] == {"do": "copy", "text": text}
    answer(table, "save_transcript")
    assert wire.orders[-1] == {"do": "save", "name": f"{DOCUMENTED}.txt", "text": text}
    assert table.companion.dialog["id"] == "transcript"


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        ("", ["There is no code"]),
        (f"Code: {DOCUMENTED}\n\n1. KD XX", ["Line 3", "“XX”"]),
        (f"{DOCUMENTED}\nKD 10C+4S", ["Move 2", "10C+4S"]),
        (f"{DOCUMENTED}\nU", ["Move 1", "nothing to undo"]),
        (f"Code: {DOCUMENTED}\nColour: red", ["Line 2", "“Colour”"]),
    ],
)
def test_a_wrong_transcript_keeps_the_window_open_and_names_the_place(
    table: Dashboard, text: str, reasons: list[str]
) -> None:
    click(table, "KD")
    open_transcript(table, text)
    assert table.companion.dialog["id"] == "transcript"
    assert table.companion.problem["field"] == "transcript"
    for reason in reasons:
        assert reason in table.companion.problem["text"]
    assert table.companion.replay == {}
    answer(table, "close")
    assert table.companion.figures == {"score": 10, "moves": 1}


def test_a_header_that_its_moves_do_not_bear_out_is_said(table: Dashboard) -> None:
    open_transcript(table, f"Code: {DOCUMENTED}\nResult: won\nScore: 999\n\nKD")
    assert table.companion.replay == {"count": 1, "at": 0}
    assert table.companion.message["kind"] == "warning"
    assert "the result is won, but the moves lead to: unfinished" in message(table)
    assert "the score is 999, but the moves give 10" in message(table)


def test_a_replay_goes_to_any_moment_and_back_to_the_game(table: Dashboard) -> None:
    play(table, ["KD"])
    # The rules of `classic` but for its verdict, which comes in its own time and would speak in between.
    open_transcript(table, f"{KNOWN.code} mix,draws_at_start=0,undo_counts=yes {LINE.replace(' R', ' D*22 R')}")
    companion = table.companion
    assert (companion.replay, companion.code, companion.title) == ({"count": 29, "at": 0}, KNOWN.code, "Own mix")
    assert companion.piles["stock"]["count"] == 24
    at = {0: (0, 0), 1: (10, 1), 2: (30, 2), 4: (30, 4), 5: (30, 5), 29: (30, 29)}
    for number in (29, 0, 2, 1, 5, 4):
        tell(table, event="replay", at=number)
        assert companion.replay == {"count": 29, "at": number}
        assert (companion.figures["score"], companion.figures["moves"]) == at[number], number
    tell(table, event="replay", at=99)
    assert companion.replay["at"] == 29
    assert message(table) == "The waste is the stock again."
    tell(table, event="replay", at=-5)
    assert (companion.replay["at"], message(table)) == (0, "The deal.")
    click(table, "KD", "stock")
    assert companion.figures == {"score": 0, "moves": 0}
    assert message(table) == "This is a replay. “Play on from here” makes it your game."
    tell(table, event="replay", do="leave")
    assert (companion.replay, companion.code, companion.title) == ({}, DOCUMENTED, "Pyramide")
    assert (companion.figures, state_of(table, "KD")) == ({"score": 10, "moves": 1}, ".")
    assert message(table) == "Back in the game."
    press(table, "Undo")
    assert companion.figures == {"score": 0, "moves": 1}


def test_the_clock_of_the_game_stands_still_during_a_replay(table: Dashboard) -> None:
    now = [0.0]
    table._put(Game(KNOWN, Rules(), now=lambda: now[0]), "")
    click(table, "KD")
    now[0] = 5
    open_transcript(table, f"{DOCUMENTED} KD")
    assert table.companion.clock == {"elapsed": 0, "running": False}
    now[0] = 500
    tell(table, event="replay", do="leave")
    assert table.companion.clock["elapsed"] == 5
    now[0] = 503
    click(table, "stock")
    now[0] = 504
    assert 6 <= table.game.clock.elapsed <= 9


def test_a_replay_is_played_on_from_where_it_stands(table: Dashboard) -> None:
    click(table, "KD")
    open_transcript(table, f"{DOCUMENTED} {LINE.removesuffix(' R')}")
    tell(table, event="replay", at=2)
    tell(table, event="replay", do="go_on")
    assert table.companion.replay == {}
    assert message(table) == "The game is yours from here."
    play(table, ["D", "U", "U"])
    assert table.companion.figures == {"score": 10, "moves": 3}
    press(table, "Transcript")
    [field] = [block for block in table.companion.dialog["blocks"] if block.get("name") == "transcript"]
    assert [str(entry) for entry in Transcript.parse(field["value"]).entries] == ["KD", "10C+3S", "D", "U", "U"]


def test_one_replay_after_the_other_comes_back_to_the_same_game(table: Dashboard) -> None:
    click(table, "KD")
    open_transcript(table, f"{DOCUMENTED} D D")
    table.watch(Transcript.parse(f"{WON_CODE} {' '.join(WON_LINE)}"))
    tell(table, event="replay", at=len(WON_LINE))
    # A replay that ends in a win is no win of this player.
    assert (table.companion.state, table.companion.dialog) == ("." * 28, {})
    tell(table, event="replay", do="leave")
    assert (table.companion.code, table.companion.figures) == (DOCUMENTED, {"score": 10, "moves": 1})
    assert button_of(table, "stock") is table.buttons["stock"]


def test_words_of_a_replay_that_is_over_are_let_go(table: Dashboard) -> None:
    tell(table, event="replay", at=3)
    tell(table, event="replay", do="go_on")
    tell(table, event="dialog", dialog="gone", action="no such thing")
    assert (table.companion.code, table.companion.replay) == (DOCUMENTED, {})


def test_preferences_name_everything_that_the_options_window_asks(table: Dashboard) -> None:
    press(table, "Options")
    asked = {block["name"] for block in table.companion.dialog["blocks"] if "name" in block}
    assert asked <= set(dialogs.PREFERENCES)
    assert {"error_help", "theme", "colours", "cards"} <= asked
