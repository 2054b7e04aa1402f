"""Studies with the solver: verdicts, shortest wins, most cards, and the player that the solver guides."""

from pathlib import Path

import pandas as pd
import pytest

from pyramide_core import VARIANTS, Deal, Game, Outcome, Position
from pyramide_core.solver import Kind, max_removable, solve, verdict
from pyramide_core.study import Results, Study, play, run, summary
from pyramide_core.study.players import PLAYERS

STUDY = Study.of("pyramide,three_passes,giza", 8, shortest=True, most=True, search_limit=20_000)


@pytest.fixture(scope="module")
def results() -> Results:
    return run(STUDY, workers=1)


def test_table_says_what_the_solver_says(results: Results) -> None:
    for row in results.table.sample(9, random_state=5).itertuples():
        position = Position.start(Deal.from_seed(row.seed), VARIANTS[row.rules])
        assert row.verdict == verdict(position).kind.value
        length = solve(position, limit=STUDY.search_limit).length
        assert (None if pd.isna(row.shortest) else row.shortest) == length
        most = max_removable(position, limit=STUDY.search_limit)
        assert row.most == most.cards if most.is_exact else pd.isna(row.most)


def test_documented_deals_come_out() -> None:
    """The rules page: deal 9 never lets more than 14 cards go. The 300 published decks test the solver itself."""
    table = run(Study.of("pyramide", 10, most=True), workers=1).table
    assert table.loc[9, "verdict"] == "unwinnable"
    assert table.loc[9, "most"] <= 14


def test_columns_agree_with_each_other(results: Results) -> None:
    table = results.table
    assert not (table["verdict"] == "unknown").any()
    solved = table["shortest"].notna()
    assert (table.loc[solved, "verdict"] == "winnable").all()
    # Giza wants all 52 cards gone; where that is possible and known, all can go.
    giza = table[(table["rules"] == "giza") & table["most"].notna()]
    assert ((giza["most"] == 52) == (giza["verdict"] == "winnable")).all()
    pyramid = table[(table["rules"] == "pyramide") & table["most"].notna()]
    # To clear the pyramid takes 28 cards at least.
    assert (pyramid.loc[pyramid["verdict"] == "winnable", "most"] >= 28).all()


def test_verdicts_are_the_same_from_two_processes_and_in_small_parts(results: Results, tmp_path: Path) -> None:
    again = run(STUDY, workers=2, part_seconds=0.2, out=tmp_path / "x.parquet")
    assert again.to_parquet() == results.to_parquet()
    assert Results.load(tmp_path / "x.parquet").to_parquet() == results.to_parquet()


def test_limit_leaves_answers_unknown_and_widens_the_interval() -> None:
    limited = run(Study.of("three_passes", 60, verdict_limit=200), workers=1)
    row = summary(limited)["winnable"].iloc[0]
    full = summary(run(Study.of("three_passes", 60), workers=1))["winnable"].iloc[0]
    assert row["unknown"] > 0
    assert full["unknown"] == 0
    assert row["low"] <= full["low"]
    assert full["high"] <= row["high"]
    known = limited.table["verdict"] != "unknown"
    sure = run(Study.of("three_passes", 60), workers=1).table["verdict"].astype(str)
    assert (limited.table.loc[known, "verdict"].astype(str) == sure[known]).all()


def test_solver_guided_player_wins_all_that_can_be_won_where_the_order_is_free() -> None:
    """Under `pyramide` the hidden order of the stock changes no verdict, so the player loses nothing by not seeing it."""
    rules = VARIANTS["pyramide"]
    for seed in range(25):
        deal = Deal.from_seed(seed)
        can = verdict(Position.start(deal, rules)).kind is Kind.WINNABLE
        played = play(deal, rules, PLAYERS["solver_guided"])
        assert played.won == can
        game = Game(deal, rules)
        for move in played.line:
            game.play(move)
        assert (game.outcome is Outcome.WON) == can


@pytest.mark.parametrize("name", ["thirteen", "pyramid_thirteen", "giza"])
def test_solver_guided_player_plays_where_cards_are_hidden(name: str) -> None:
    deal = Deal.from_seed(3)
    played = play(deal, VARIANTS[name], PLAYERS["solver_guided"])
    assert played.removed > 0
    assert play(deal, VARIANTS[name], PLAYERS["solver_guided"]) == played
    if name == "giza":  # all cards lie open
        assert played.won == (verdict(Position.start(deal, VARIANTS[name])).kind is Kind.WINNABLE)
