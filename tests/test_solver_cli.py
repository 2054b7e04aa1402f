"""The commands `pyramide solve`, `verdict` and `hint`."""

import json

import pytest

from pyramide_core.cli import main
from pyramide_core.deals import Deal
from pyramide_core.game import Game
from pyramide_core.position import Outcome
from pyramide_core.rules import VARIANTS, Rules

KEYS = ["verdict", "length", "moves", "nodes", "seconds", "max_removed"]
S, J = "PY1-N-AAAAAAS", "PY1-N-AAAAAAJ"


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict:
    assert main([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def played(code: str, rules: Rules, moves: list[str]) -> Game:
    game = Game(Deal.from_code(code), rules)
    game.replay(moves)
    return game


def test_solve_gives_a_shortest_win(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "solve", S)
    assert list(found) == KEYS
    assert found["verdict"] == "winnable"
    game = played(S, VARIANTS["pyramide"], found["moves"])
    assert game.outcome is Outcome.WON
    assert game.moves == found["length"]
    assert found["max_removed"] is None
    assert main(["solve", S]) == 0
    first, *lines = capsys.readouterr().out.splitlines()
    assert first == f"The shortest win takes {found['length']} moves."
    assert " ".join(lines).split() == found["moves"]


def test_solve_leads_a_lost_deal_to_the_most_cards(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "solve", J)
    assert (found["verdict"], found["length"], found["max_removed"]) == ("unwinnable", None, 14)
    assert played(J, VARIANTS["pyramide"], found["moves"]).removed == 14
    assert main(["solve", J]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == ["It cannot be won.", "At most 14 cards can go."]


def test_solve_goes_on_from_any_position(capsys: pytest.CaptureFixture[str]) -> None:
    whole = answer(capsys, "solve", S)
    rest = answer(capsys, "solve", S, "--after", " ".join(whole["moves"][:5]))
    assert rest["length"] == whole["length"] - 5


def test_solve_takes_a_deck_and_rules(capsys: pytest.CaptureFixture[str]) -> None:
    # The first of the decks in tests/data/three_passes_shortest.csv.
    deck = (
        "6d 5h Ah Jd 4s Ks 6s 8c 2h 4d 9s Kd 6c Ad 8s Ac 5c 9d 7h 3h 8d 5s 4c Qc Jh Kc Kh 3c "
        "3s 9c As 5d Qh Ts 4h 7s Td 9h Th 7c 8h 2c 7d Tc 2d 6h 2s Js Qd 3d Qs Jc"
    )
    assert answer(capsys, "solve", "--deck", deck, "--rules", "three_passes")["length"] == 45


def test_solve_says_what_it_does_not_know(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "solve", S, "--limit", "5")
    assert (found["verdict"], found["length"], found["moves"]) == ("unknown", None, None)
    assert main(["solve", S, "--limit", "5"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == "Whether it can be won is not known: the search stopped at its limit."
    assert second.startswith("A win takes at least ")


def test_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    won, lost = answer(capsys, "verdict", S), answer(capsys, "verdict", J)
    assert list(won) == list(lost) == KEYS
    assert played(S, VARIANTS["pyramide"], won["moves"]).outcome is Outcome.WON
    assert (lost["verdict"], lost["moves"]) == ("unwinnable", None)
    assert main(["verdict", J]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == "It cannot be won."
    assert second


def test_hint_is_a_move_of_a_win_with_its_reason(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "hint", S)
    (move,) = found["moves"]
    assert found["length"] == answer(capsys, "solve", S)["length"]
    assert answer(capsys, "solve", S, "--after", move)["length"] == found["length"] - 1
    assert main(["hint", S]) == 0
    assert capsys.readouterr().out.splitlines() == [move, found["hint"]]


@pytest.mark.parametrize("command", ["solve", "verdict", "hint"])
@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["PY1-N-AAAAAA"], "too short"),
        (["--deck", "KD KD"], "K♦"),
        ([S, "--rules", "patience"], "patience"),
        ([S, "--after", "KD JD"], "Move 2"),
        ([S, "--after", "KD X"], "X"),
        ([S, "--limit", "0"], "0"),
    ],
)
def test_bad_input_is_named_in_one_sentence(
    command: str, arguments: list[str], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, *arguments]) == 2
    captured = capsys.readouterr()
    assert not captured.out
    (line,) = captured.err.splitlines()
    assert named in line


def test_a_move_after_the_win_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    moves = answer(capsys, "solve", S)["moves"]
    assert main(["solve", S, "--after", " ".join([*moves, "D"])]) == 2
    assert "won" in capsys.readouterr().err
