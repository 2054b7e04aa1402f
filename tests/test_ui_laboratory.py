"""The laboratory without a browser: what the page is told while a study runs, what it saves, what it refuses."""

import base64
import io
import threading
from typing import Any

import pyarrow.parquet as pq
import pytest

from pyramide_core import VARIANTS
from pyramide_core.study import Results, Study, run, wilson
from pyramide_core.ui.laboratory import Laboratory, progress_text, read_study
from tests.widgets import Wire, nothing_logged, wire

__all__ = ["nothing_logged", "wire"]

GREEDY = {"rules": ["pyramide", "giza"], "players": ["greedy"], "deals": "40", "seed": "5"}


@pytest.fixture
def laboratory() -> Laboratory:
    return Laboratory(workers=1)


def tell(laboratory: Laboratory, **content: Any) -> None:
    laboratory._handle_custom_msg(content, [])


def test_study_fills_tables_and_plot(laboratory: Laboratory) -> None:
    tell(laboratory, event="ready", query="?lang=en", languages=["en"])
    tell(laboratory, event="start", values=GREEDY)
    laboratory.wait(60)
    assert laboratory.said == {"text": "Done. Deals in the table: 80.", "kind": "info"}
    assert (laboratory.state["running"], laboratory.state["done"], laboratory.state["total"]) == (False, 80, 80)
    (table,) = laboratory.tables
    wanted = run(Study.of("pyramide,giza", 40, first_seed=5, verdict=False, players=["greedy"]), workers=1)
    assert isinstance(laboratory.results, Results)
    assert laboratory.results.table.equals(wanted.table)
    won = int(wanted.table["greedy_won"][:40].sum())
    assert table["rows"][0][:4] == ["Pyramide", "Greedy", "40", str(won)]
    assert table["bars"][0] == pytest.approx([won / 40, *wilson(won, 40)])
    assert [plot[0] for plot in laboratory.picture["plots"]] == ["cards_left", "strategies", "stuck_map"]
    kind, _comma, content = laboratory.picture["source"].partition(",")
    assert kind == "data:image/svg+xml;base64"
    assert b"<svg" in base64.b64decode(content)


def test_plot_is_chosen(laboratory: Laboratory) -> None:
    laboratory.start(GREEDY)
    laboratory.wait(60)
    tell(laboratory, event="plot", plot="stuck_map", rules="giza", player="greedy")
    assert laboratory.picture["chosen"] == {"plot": "stuck_map", "rules": "giza", "player": "greedy"}
    assert laboratory.picture["words"].startswith("Where games get stuck; Giza; Greedy; row 1: ")
    # What this study does not have is not shown: the first plot is.
    tell(laboratory, event="plot", plot="narrowing", rules="thirteen", player="nobody")
    assert laboratory.picture["chosen"]["plot"] == "cards_left"


def test_page_is_told_while_the_study_runs_and_stops(laboratory: Laboratory) -> None:
    seen: list[float] = []
    enough = threading.Event()

    def note(change: Any) -> None:
        for table in change["new"]:
            seen.append(table["bars"][0][2] - table["bars"][0][1])
        if len(set(seen)) >= 3:
            enough.set()

    laboratory.observe(note, "tables")
    laboratory.start({**GREEDY, "rules": ["pyramide"], "deals": "100000"})
    assert enough.wait(60)
    assert laboratory.is_running
    tell(laboratory, event="start", values=GREEDY)
    assert laboratory.said["text"] == "A study is running already; stop it first."
    tell(laboratory, event="stop")
    laboratory.wait(60)
    assert not laboratory.is_running
    assert laboratory.said["text"].startswith("Stopped.")
    assert 0 < laboratory.state["done"] < 100_000
    assert seen[-1] < seen[0]
    # Another one can follow.
    laboratory.start(GREEDY)
    laboratory.wait(60)
    assert laboratory.state["done"] == 80


def test_table_and_plot_are_saved(laboratory: Laboratory, wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    laboratory.start(GREEDY)
    laboratory.wait(60)
    saved: dict[str, bytes] = {}
    monkeypatch.setattr(
        Laboratory, "send", lambda _self, order, buffers: saved.update({order["name"]: bytes(buffers[0])})
    )
    for kind in ("csv", "parquet", "png", "svg"):
        tell(laboratory, event="save", kind=kind)
    assert set(saved) == {"pyramide-study.csv", "pyramide-study.parquet", "cards_left.png", "cards_left.svg"}
    assert len(saved["pyramide-study.csv"].decode().splitlines()) == 81
    assert pq.read_table(io.BytesIO(saved["pyramide-study.parquet"])).num_rows == 80
    assert saved["cards_left.png"].startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({**GREEDY, "deals": "0"}, "The number of deals is a number from 1 to 10,000,000."),
        ({**GREEDY, "seed": "-3"}, "The seed is a number from 0 to 34,359,738,367."),
        ({**GREEDY, "rules": []}, "A study needs a rule set."),
        ({**GREEDY, "players": []}, "A study must measure something"),
        ({**GREEDY, "more": "pyramide"}, "The rule set pyramide stands twice."),
        ({}, "The number of deals"),
    ],
)
def test_what_is_wrong_is_said(laboratory: Laboratory, values: dict[str, Any], complaint: str) -> None:
    tell(laboratory, event="start", values=values)
    assert laboratory.said["text"].startswith(complaint)
    assert laboratory.said["kind"] == "warning"
    assert not laboratory.is_running


def test_nothing_can_be_saved_before_there_is_anything(laboratory: Laboratory) -> None:
    tell(laboratory, event="save", kind="csv")
    assert laboratory.said["text"] == "There are no results yet."
    tell(laboratory, event="save", kind="exe")
    tell(laboratory, event="nonsense")


def test_mistake_of_a_study_is_said_and_logged(
    laboratory: Laboratory, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("pyramide_core.study.running.run", lambda *_study, **_options: 1 / 0)
    laboratory.start(GREEDY)
    laboratory.wait(60)
    assert laboratory.said["text"] == "The study has ended by a mistake in Pyramide."
    assert "ZeroDivisionError" in caplog.text
    assert not laboratory.state["running"]
    caplog.clear()


def test_form_offers_every_rule_set_and_reads_mixes(laboratory: Laboratory) -> None:
    assert [rules["value"] for rules in laboratory.form["rules"]] == list(VARIANTS)
    study = read_study({**GREEDY, "more": "classic,passes=2, mix,goal=all", "measures": ["verdict", "most"]})
    assert [rules.passes for rules in study.rules] == [None, None, 2, None]
    assert (study.verdict, study.shortest, study.most, study.first_seed) == (True, False, True, 5)


def test_time_left_follows_the_rate() -> None:
    assert progress_text(0, 10, 1.0, True) == "0 of 10 deals"
    assert progress_text(20, 40, 4.0, True) == "20 of 40 deals · 5.0 a second · 4 s left"
    assert progress_text(100, 100_000, 10.0, True) == "100 of 100,000 deals · 10 a second · 166 min left"
    assert progress_text(40, 40, 4.0, False) == "40 of 40 deals"
