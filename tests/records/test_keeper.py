"""Records and classes on the dashboard and on the teacher's page, through their widgets and messages; the commands."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pyramide_core import VARIANTS, Card, Deal, Game, Remove, cli
from pyramide_core.messages import set_language
from pyramide_core.records.daily import deal_of_the_day
from pyramide_core.records.errors import RecordsError
from pyramide_core.records.store import Records
from pyramide_core.ui.classroom import Classroom, read_deals, read_minutes
from pyramide_core.ui.dashboard import Dashboard
from pyramide_core.ui.records_board import KeptBoard
from tests.records.support import OTHER, TOKEN, saved, won_game
from tests.widgets import Wire, nothing_logged, wire  # noqa: F401

CODE = "PY1-N-AAAAAAS"
TEACHER = "teacher-" * 5


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "r.sqlite3")


def opened(path: str, query: str = "", token: str = TOKEN, **more: Any) -> Dashboard:
    """Open the dashboard as a page does."""
    dashboard = Dashboard(records=path)
    dashboard._receive(None, {"event": "ready", "query": query, "token": token, **more}, [])
    return dashboard


def answer(dashboard: Dashboard, action: str, **values: Any) -> None:
    dashboard._receive(None, {"event": "dialog", "action": action, "values": values}, [])


def dialog(dashboard: Dashboard) -> str:
    return str(dashboard.companion.dialog.get("id", ""))


def said(dashboard: Dashboard) -> str:
    return str(dashboard.companion.message["text"])


def click(dashboard: Dashboard, *cards: str) -> None:
    """Click the cards, or `stock`."""
    for card in cards:
        if card == "stock":
            key = card
        else:
            game = dashboard.game
            assert game is not None
            key = f"t{[str(c) for c in game.deal.cards].index(card)}"
        dashboard.buttons[key].click()


def texts(value: Any) -> Iterator[str]:
    """Yield all texts of a dialog."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from texts(inner)
    else:
        yield str(value)


# Games ---------------------------------------------------------------------------------------------------------------


def test_reload_brings_the_game_back(path: str) -> None:
    first = opened(path, f"?code={CODE}")
    click(first, "KD", "10C", "3S", "stock")
    first.undo()
    first.keeper.recorder.wait(60)
    second = opened(path)
    assert second.game is not None
    assert first.game is not None
    assert second.game.log == first.game.log
    assert (second.game.score, second.game.moves, second.game.undos) == (30, 3, 1)
    assert said(second) == f"Your game goes on: {CODE}"
    assert second.companion.figures == {"score": 30, "moves": 3}
    # The same by the link that the page's address has become.
    third = opened(path, f"?code={CODE}")
    assert third.game is not None
    assert third.game.log == first.game.log


def test_link_to_another_deal_is_a_new_game_and_the_old_one_can_be_chosen(path: str) -> None:
    first = opened(path, f"?code={CODE}")
    click(first, "KD")
    second = opened(path, "?code=PY1-N-AAAAAAB")
    assert second.game is not None
    assert second.game.log == []
    second.keeper.show()
    answer(second, "records_games")
    (choice,) = second.companion.dialog["blocks"]
    ((key, label, about),) = choice["options"]
    assert CODE in label
    assert "1 move" in about
    assert "27 cards left" in about
    answer(second, "records_resume", game=key)
    assert second.game.deal.code == CODE
    assert [str(entry) for entry in second.game.log] == ["KD"]


def test_game_of_another_browser_is_not_there(path: str) -> None:
    click(opened(path, f"?code={CODE}"), "KD")
    other = opened(path, f"?code={CODE}", token=OTHER)
    assert other.game is not None
    assert other.game.log == []
    records = Records.open(path)
    key = records.account(TOKEN).games()[0].key
    records.close()
    answer(other, "records_resume", game=key)
    assert said(other) == "There is no such game."
    assert other.game.log == []


def test_without_a_database_the_page_keeps_the_game() -> None:
    first = opened("off", f"?code={CODE}")
    click(first, "KD")
    memory = first.companion.memory
    assert memory["slot"] == ""
    second = opened("off", memory=memory["text"])
    assert second.game is not None
    assert [str(entry) for entry in second.game.log] == ["KD"]


def test_pause_and_hidden_page_are_kept(path: str) -> None:
    first = opened(path, f"?code={CODE}")
    click(first, "KD")
    first.pause()
    first.keeper.recorder.wait(60)
    second = opened(path)
    assert second.game is not None
    assert "paused" in second.game.clock.holds
    assert second.companion.paused


def test_replay_is_not_recorded_until_it_is_played_on(path: str) -> None:
    dashboard = opened(path, f"?code={CODE}")
    click(dashboard, "KD")
    answer(dashboard, "replay", transcript=f"Code: {CODE}\n\nD D D")
    dashboard._receive(None, {"event": "replay", "do": "play on"}, [])
    dashboard.keeper.recorder.wait(60)
    click(dashboard, "stock")
    dashboard.keeper.recorder.wait(60)
    records = Records.open(path)
    logs = sorted(game.log for game in records.account(TOKEN).saved_games())
    records.close()
    assert logs == [("D",), ("KD",)]


def test_damaged_database_is_said_on_the_page_and_play_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite3"
    path.write_bytes(b"nonsense" * 1000)
    dashboard = opened(str(path), f"?code={CODE}")
    assert "damaged" in said(dashboard)
    assert "goes on without records" in said(dashboard)
    assert dashboard.companion.message["kind"] == "warning"
    click(dashboard, "KD")
    assert dashboard.game is not None
    assert dashboard.game.score == 10
    assert "damaged" not in said(dashboard)
    dashboard.keeper.show()
    assert dialog(dashboard) == ""
    assert "damaged" in said(dashboard)


def test_keeper_that_fails_does_not_stop_the_game(
    path: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    dashboard = opened(path, f"?code={CODE}")
    monkeypatch.setattr(dashboard.keeper.recorder, "save", lambda game: 1 // 0)
    click(dashboard, "KD")
    assert dashboard.game is not None
    assert dashboard.game.score == 10
    assert said(dashboard).startswith("King of diamonds removed.")
    assert "the keeper of the records failed" in caplog.text
    caplog.clear()


def test_deal_of_the_day_is_in_the_window_of_new_games(path: str) -> None:
    dashboard = opened(path)
    dashboard.ask_new_game()
    assert "today" in [shown["action"] for shown in dashboard.companion.dialog["buttons"]]
    answer(dashboard, "today", rules="classic")
    assert dashboard.game is not None
    assert dashboard.game.deal == deal_of_the_day()
    assert dashboard.game.rules == VARIANTS["classic"]
    assert dashboard.game.deal.code in said(dashboard)


# Statistics, players, files ------------------------------------------------------------------------------------------


def with_a_won_game(path: str) -> Dashboard:
    dashboard = opened(path, f"?code={CODE}")
    records = Records.open(path)
    records.account(TOKEN).add_games([saved(won_game(), player="")])
    records.close()
    return dashboard


def test_window_of_statistics(path: str) -> None:
    dashboard = with_a_won_game(path)
    dashboard.keeper.show()
    assert dialog(dashboard) == "records"
    shown = list(texts(dashboard.companion.dialog))
    assert "1 (100 %)" in shown
    assert CODE in shown
    assert "Fastest games" in shown
    answer(dashboard, "change:seen_rules", seen_rules="classic", seen_player="")
    assert dashboard.companion.dialog["blocks"][1]["value"] == "*"
    answer(dashboard, "records_charts")
    image = dashboard.companion.dialog["blocks"][0]
    assert image["src"].startswith("data:image/svg+xml;base64,")
    assert image["alt"].startswith("1 of 1 games won.")


def test_players_have_games_of_their_own(path: str) -> None:
    dashboard = opened(path, f"?code={CODE}")
    click(dashboard, "KD")
    answer(dashboard, "records_players")
    answer(dashboard, "records_play", player="+", name="")
    assert dashboard.companion.problem["text"] == "Please give a name."
    answer(dashboard, "records_play", player="+", name=" Ada ")
    assert said(dashboard) == "Ada plays now."
    assert dashboard.game is not None
    assert dashboard.game.log == []
    click(dashboard, "stock", "stock")
    code = dashboard.game.deal.code
    answer(dashboard, "records_play", player="", name="")
    assert dashboard.game.deal.code == CODE
    assert len(dashboard.game.log) == 1
    answer(dashboard, "records_play", player="Ada", name="")
    assert (dashboard.game.deal.code, len(dashboard.game.log)) == (code, 2)
    # After a reload it is the one who played last.
    dashboard.keeper.recorder.wait(60)
    again = opened(path)
    assert again.keeper.recorder.player == "Ada"
    assert again.game is not None
    assert again.game.deal.code == code


def test_renaming_and_deleting_a_player(path: str) -> None:
    dashboard = opened(path, f"?code={CODE}")
    click(dashboard, "KD")
    answer(dashboard, "records_rename", player="", name="Ada")
    click(dashboard, "stock")
    dashboard.keeper.recorder.wait(60)
    records = Records.open(path)
    assert records.account(TOKEN).players() == ["Ada"]
    assert [(game.player, game.entries) for game in records.account(TOKEN).games()] == [("Ada", 2)]
    answer(dashboard, "records_delete", player="Ada")
    assert dialog(dashboard) == "records-delete"
    assert "1 game" in " ".join(texts(dashboard.companion.dialog))
    assert records.account(TOKEN).games() != []
    answer(dashboard, "records_delete_now")
    dashboard.keeper.recorder.wait(60)
    assert [game.entries for game in records.account(TOKEN).games()] == [0]
    assert records.account(TOKEN).players() == [""]
    records.close()
    assert said(dashboard) == "Everything about Ada is deleted."


def test_export_and_import(path: str, wire: Wire) -> None:  # noqa: F811
    dashboard = with_a_won_game(path)
    click(dashboard, "KD")
    answer(dashboard, "records_csv")
    answer(dashboard, "records_transcripts")
    files = {order["name"]: order["text"] for order in wire.orders if order.get("do") == "save"}
    assert set(files) == {"pyramide-games.csv", "pyramide-games.txt"}
    for text in files.values():
        other = opened(path, token=OTHER)
        answer(other, "records_files")
        answer(other, "records_import", games=text)
        assert "2 games were added." in " ".join(texts(other.companion.dialog))
        answer(other, "records_import", games=text)
        assert "0 games were added. 2 were here already." in " ".join(texts(other.companion.dialog))
        answer(other, "records_import", games="nonsense")
        assert "Game 1" in other.companion.problem["text"]
        answer(other, "records_delete", player="")
        answer(other, "records_delete_now")


# Classes -------------------------------------------------------------------------------------------------------------


def classroom(path: str) -> Classroom:
    room = Classroom(path)
    tell(room, "ready", token=TEACHER, query="")
    return room


def tell(room: Classroom, event: str, **content: Any) -> None:
    room._receive(None, {"event": event, **content}, [])


def open_class(room: Classroom, **values: Any) -> str:
    tell(room, "open", values={"deals": f"{CODE}\nPY1-N-AAAAAAB", "rules": "pyramide", **values})
    return str(room.page.task["code"])


def test_class_from_opening_to_results(path: str, wire: Wire) -> None:  # noqa: F811
    room = classroom(path)
    code = open_class(room, title="7b", minutes="20")
    assert room.page.task["about"] == "Pyramide · 2 deals · 20 minutes · hints are allowed"
    ada, bob = opened(path, f"?class={code}"), opened(path, f"?class={code.lower()}", token=OTHER)
    assert dialog(ada) == "class-join"
    assert ada.game is None
    answer(ada, "class_join", name="Ada")
    assert said(ada) == "Deal 1 of 2 of the class."
    answer(bob, "class_join", name="ada")
    assert "called “ada” already" in bob.companion.problem["text"]
    answer(bob, "class_join", name="Bob")
    click(ada, "KD", "10C", "3S")
    ada.keeper.recorder.wait(60)
    tell(room, "news")
    rows = [row["cells"] for row in room.page.lines["rows"]]
    assert [row[:6] for row in rows] == [
        ["1", "Ada", "playing", "0 of 2", "53", "2"],
        ["2", "Bob", "has not begun", "0 of 2", "56", "0"],
    ]
    # A reload comes back to the class without asking again.
    again = opened(path, f"?class={code}&code={CODE}")
    assert again.game is not None
    assert len(again.game.log) == 2
    # The class's game is not that of the dashboard.
    home = opened(path)
    assert home.game is not None
    assert home.game.log == []
    tell(room, "anonymous", value=True)
    assert [row["cells"][1] for row in room.page.lines["rows"]] == ["Learner 1", "Learner 2"]
    assert "Ada" not in json.dumps([room.page.lines, room.page.games])
    tell(room, "csv")
    tell(room, "transcripts")
    csv, transcripts = [order["text"] for order in wire.orders if order.get("do") == "save"]
    assert f"{code},Ada,1,{CODE}" in csv
    # Without this mark spreadsheets read names in other letters wrongly.
    assert csv.startswith("\ufeffclass,learner,")
    assert "1. KD 10C+3S" in transcripts
    (key, _label), *_others = room.page.games
    tell(room, "walk", key=key)
    assert room.table.companion.replay == {"count": 2, "at": 0}
    assert room.table.layout.display == ""
    tell(room, "walk", key="nonsense")
    assert room.page.said["kind"] == "warning"


def test_won_deal_leads_to_the_next(path: str) -> None:
    room = classroom(path)
    code = open_class(room)
    ada = opened(path, f"?class={code}")
    answer(ada, "class_join", name="Ada")
    for entry in won_game().log:
        if isinstance(entry, Remove):
            for card in entry.cards:
                ada.touch(card)
        else:
            ada.touch_stock()
    assert dialog(ada) == "won"
    answer(ada, "new")
    assert ada.game is not None
    assert ada.game.deal.code == "PY1-N-AAAAAAB"
    assert ada.keeper.recorder.gate is not None
    ada.ask_new_game()
    assert dialog(ada) == "class"
    options = ada.companion.dialog["blocks"][-1]["options"]
    assert [about for _value, _label, about in options] == ["won", "in progress"]
    answer(ada, "class_play", deal="1")
    assert ada.game.deal.code == CODE
    ada.keeper.recorder.wait(60)
    tell(room, "news")
    assert room.page.lines["rows"][0]["cells"][3] == "1 of 2"


def test_closed_class_is_told_to_the_learner(path: str) -> None:
    room = classroom(path)
    code = open_class(room)
    ada = opened(path, f"?class={code}")
    answer(ada, "class_join", name="Ada")
    click(ada, "KD")
    ada.keeper.recorder.wait(60)
    tell(room, "close")
    assert room.page.task["closed"] is True
    click(ada, "stock")
    ada.keeper.recorder.wait(60)
    click(ada, "stock")
    assert "The class is closed: what you play now is not recorded for it." in said(ada)
    assert ada.game is not None
    assert len(ada.game.log) == 3
    tell(room, "reopen")
    assert room.page.lines["rows"][0]["cells"][5] == "1"
    # Who plays on when the class goes on is recorded again, with what was played meanwhile.
    click(ada, "stock")
    heard = said(ada)
    ada.keeper.recorder.wait(60)
    click(ada, "stock")
    assert "The game is recorded again." in heard + said(ada)
    ada.keeper.recorder.wait(60)
    tell(room, "news")
    assert room.page.lines["rows"][0]["cells"][5] == "5"


def test_several_learners_share_a_browser(path: str) -> None:
    room = classroom(path)
    code = open_class(room)
    shared = opened(path, f"?class={code}")
    answer(shared, "class_join", name="Ada")
    click(shared, "KD", "stock")
    shared.keeper.recorder.wait(60)
    shared.ask_new_game()
    answer(shared, "class_other")
    assert dialog(shared) == "class-join"
    answer(shared, "class_join", name="Bob")
    assert said(shared) == "Deal 1 of 2 of the class."
    click(shared, "KD")
    shared.keeper.recorder.wait(60)
    shared.ask_new_game()
    answer(shared, "class_other")
    answer(shared, "class_join", name="Ada")
    assert shared.game is not None
    assert len(shared.game.log) == 2
    click(shared, "stock")
    shared.keeper.recorder.wait(60)
    tell(room, "news")
    rows = [row["cells"] for row in room.page.lines["rows"]]
    assert sorted((row[1], row[5]) for row in rows) == [("Ada", "3"), ("Bob", "1")]


def test_learner_is_told_when_the_time_is_nearly_over(path: str) -> None:
    ada = opened(path, f"?class={open_class(classroom(path), minutes='5')}")
    answer(ada, "class_join", name="Ada")
    ada.keeper._time_short()
    assert said(ada) == "There is one minute left for the class."


def test_classroom_loaded_again_shows_its_class(path: str) -> None:
    code = open_class(classroom(path), title="7b")
    room = Classroom(path)
    tell(room, "ready", token=TEACHER, query=f"?board={code}")
    assert room.page.task["title"] == "7b"
    for token, asked in ((OTHER, code), (TEACHER, "ABCDEF")):
        room = Classroom(path)
        tell(room, "ready", token=token, query=f"?board={asked}")
        assert room.page.task == {}
        assert "no class" in room.page.said["text"]


def test_classroom_and_its_table_speak_one_language(path: str) -> None:
    room = Classroom(path)
    try:
        tell(room, "ready", token=TEACHER, query="?lang=uk")
        assert room.page.texts["lang"] == room.table.companion.texts["lang"] == "uk"
        assert room.table._undo.description == "Скасувати"
    finally:
        set_language("en")


def test_deleted_class_is_gone_and_its_games_are_not(path: str) -> None:
    room = classroom(path)
    code = open_class(room)
    ada = opened(path, f"?class={code}")
    answer(ada, "class_join", name="Ada")
    click(ada, "KD")
    ada.keeper.recorder.wait(60)
    tell(room, "delete")
    assert (room.page.task, room.page.form["classes"]) == ({}, [])
    assert room.page.said["text"] == "The class is deleted."
    click(ada, "stock")
    ada.keeper.recorder.wait(60)
    click(ada, "stock")
    assert f"There is no class “{code}”." in said(ada)
    ada.ask_new_game()
    assert dialog(ada) == "new"
    assert ada.keeper.pupil is None
    answer(ada, "deal", rules="pyramide", code="")
    assert ada.game is not None
    assert ada.game.log == []
    later = opened(path)
    assert [game.moves for game in later.keeper._account().games("Ada") if game.entries] == [1]


def test_leaving_a_class_goes_back_to_the_own_game(path: str) -> None:
    home = opened(path, "?code=PY1-N-AAAAAAC")
    click(home, "stock", "stock")
    home.keeper.recorder.wait(60)
    room = classroom(path)
    code = open_class(room, hints=False)
    ada = opened(path, f"?class={code}")
    answer(ada, "class_join", name="Ada")
    assert not ada.keeper.hints_allowed
    ada.hint()
    assert said(ada) == "This class plays without hints."
    # Whether it can still be won is no less of a hint.
    answer(ada, "change:verdict", verdict=True)
    assert not ada._is_verdict_shown
    answer(ada, "class_leave")
    assert ada.keeper.hints_allowed
    assert ada._is_verdict_shown
    assert ada.game is not None
    assert ada.game.deal.code == "PY1-N-AAAAAAC"
    assert len(ada.game.log) == 2


def test_link_to_no_class_is_told_and_a_game_is_dealt(path: str) -> None:
    for query, words in (("?class=ABCDEF", "There is no class “ABCDEF”"), ("?class=AB", "has 6 letters, not 2")):
        dashboard = opened(path, query)
        assert words in said(dashboard)
        assert dashboard.game is not None
        assert f"{dashboard.game.deal.code} · " in said(dashboard)
    answer(dashboard, "class_ask")
    answer(dashboard, "class_find", **{"class": "zzzzzz"})
    assert dashboard.companion.problem == {**dashboard.companion.problem, "field": "class"}
    assert "There is no class" in dashboard.companion.problem["text"]


@pytest.mark.parametrize(
    ("base", "script", "address"),
    [
        ("/", "", "/voila/render/classroom.ipynb"),
        ("/", "/", "/voila/render/classroom.ipynb"),
        ("/user/ada/", "", "/user/ada/voila/render/classroom.ipynb"),
        (
            "/user/ada/",
            "/user/ada/voila/render/notebooks/play.ipynb",
            "/user/ada/voila/render/notebooks/classroom.ipynb",
        ),
        ("", "/elsewhere.ipynb", ""),
    ],
)
def test_way_to_the_teachers_page(
    path: str, monkeypatch: pytest.MonkeyPatch, base: str, script: str, address: str
) -> None:
    dashboard = opened(path)
    monkeypatch.setenv("VOILA_BASE_URL", base)
    monkeypatch.setenv("SCRIPT_NAME", script)
    answer(dashboard, "class_ask")
    links = [block["href"] for block in dashboard.companion.dialog["blocks"] if block["kind"] == "link"]
    assert links == ([address] if address else [])


def test_who_does_not_join_plays_all_the_same(path: str) -> None:
    code = open_class(classroom(path))
    for action in ("close", "class_leave"):
        ada = opened(path, f"?class={code}")
        answer(ada, action)
        assert ada.game is not None
        assert dialog(ada) == ""
        assert ada.keeper.recorder.gate is None


def test_form_says_what_is_wrong_beside_the_field(path: str) -> None:
    room = classroom(path)
    for values, field, words in (
        ({"deals": "PY1-N-AAAAAA1"}, "deals", "Line 1"),
        ({"deals": "", "count": "0"}, "deals", "from 1 to 100"),
        ({"deals": f"today\n{CODE}\n{CODE.lower()}"}, "deals", f"Line 3: The deal {CODE} is there twice."),
        ({"minutes": "soon"}, "minutes", "number of minutes"),
        ({"rules": "nonsense"}, "rules", "no rule set"),
        ({"title": "x" * 99}, "title", "too long"),
    ):
        tell(room, "open", values={"deals": CODE, "rules": "pyramide", **values})
        problems = {shown["name"]: shown["problem"] for shown in room.page.form["fields"] if "problem" in shown}
        assert set(problems) == {field}
        assert words in problems[field]
    assert room.page.task == {}
    open_class(room)
    assert [code for code, _label in room.page.form["classes"]] == []
    tell(room, "choose", code="")
    assert len(room.page.form["classes"]) == 1


def test_classroom_without_records_says_so() -> None:
    room = Classroom("off")
    tell(room, "ready", token=TEACHER)
    assert "A class needs records" in room.page.said["text"]
    tell(room, "open", values={})
    assert room.page.said["kind"] in ("warning", "info")


def test_deals_and_minutes_as_typed() -> None:
    assert [deal.code for deal in read_deals(f" {CODE}, py1-n-aaaaaab ;\n\n")] == [CODE, "PY1-N-AAAAAAB"]
    assert read_deals("today") == [deal_of_the_day()]
    assert len({deal.code for deal in read_deals("", "5")}) == 5
    assert (read_minutes(" "), read_minutes("15")) == (None, 900)
    for wrong in ("0", "-1", "1441", "٣", "1.5", "9" * 30):
        with pytest.raises(RecordsError):
            read_minutes(wrong)


# A board in a notebook -----------------------------------------------------------------------------------------------


def kept_board(path: str, code: str = CODE, **more: Any) -> KeptBoard:
    board = KeptBoard(Game(Deal.from_code(code), VARIANTS["classic"]), "lesson-3", records=path)
    board._receive(None, {"event": "ready", "token": TOKEN, **more}, [])
    return board


def test_board_of_a_notebook_keeps_its_game(path: str) -> None:
    first = kept_board(path)
    for card in ("KD", "10C", "3S"):
        first.touch(Card.parse(card))
    first.undo()
    first.recorder.wait(60)
    # The dashboard's game is another one.
    assert opened(path).game.log == []  # type: ignore[union-attr]
    again = kept_board(path)
    assert again.game is not None
    assert [str(entry) for entry in again.game.log] == ["KD", "10C+3S", "U"]
    assert again.companion.message["text"] == f"Your game goes on: {CODE}"
    # Another deal in the cell is another game.
    other = kept_board(path, "PY1-N-AAAAAAB")
    other.recorder.wait(60)
    assert other.game is not None
    assert other.game.log == []
    again.restart()
    assert again.game.log == []
    again.recorder.wait(60)
    assert kept_board(path).game.log == []  # type: ignore[union-attr]


def test_board_of_a_notebook_is_kept_by_the_browser(path: str) -> None:
    first = kept_board("off")
    first.touch_stock()
    again = kept_board("off", memory=first.companion.memory["text"])
    assert again.game is not None
    assert [str(entry) for entry in again.game.log] == ["D"]


# Commands ------------------------------------------------------------------------------------------------------------


def test_commands(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PYRAMIDE_DATABASE", path)
    with_a_won_game(path).keeper.recorder.wait(60)
    assert cli.main(["stats", "--json"]) == 0
    (figures,) = json.loads(capsys.readouterr().out)
    assert (figures["games"], figures["won"], figures["rules"]) == (1, 1, "pyramide")
    assert cli.main(["stats"]) == 0
    assert CODE in capsys.readouterr().out
    assert cli.main(["stats", "--player", "nobody"]) == 0
    assert "No finished game" in capsys.readouterr().out
    for name in ("games.csv", "games.txt"):
        assert cli.main(["export", str(tmp_path / name)]) == 0
        assert cli.main(["export", str(tmp_path / name)]) == 2
        assert "is there already" in capsys.readouterr().err
        assert cli.main(["import", str(tmp_path / name)]) == 0
        assert capsys.readouterr().out == "0 games were added.\n1 was here already.\n"
    assert cli.main(["import", __file__]) == 2
    assert capsys.readouterr().err.startswith("pyramide: ")
    monkeypatch.setenv("PYRAMIDE_DATABASE", str(tmp_path / "new.sqlite3"))
    assert cli.main(["import", str(tmp_path / "games.csv")]) == 2
    assert "Nobody has played here yet" in capsys.readouterr().err
    monkeypatch.setenv("PYRAMIDE_TOKEN", TOKEN)
    assert cli.main(["import", str(tmp_path / "games.csv")]) == 0
    assert capsys.readouterr().out == "1 game was added.\n"
    assert cli.main(["today", "--date", "2026-11-30", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"date": "2026-11-30", "code": "PY1-N-WISWRI6"}
    assert cli.main(["today", "--date", "yesterday"]) == 2
    for language, day in (("en", "2026-11-30"), ("fr", "30/11/2026"), ("uk", "30.11.2026")):
        capsys.readouterr()
        assert cli.main(["--lang", language, "today", "--date", "2026-11-30"]) == 0
        assert capsys.readouterr().out == f"{day}  PY1-N-WISWRI6\n"
    monkeypatch.setenv("PYRAMIDE_DATABASE", __file__)
    assert cli.main(["stats"]) == 2
    assert "damaged" in capsys.readouterr().err
