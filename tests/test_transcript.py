"""Transcripts: written, read, replayed; what is wrong with one is said with its line, its word or its move number."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramide_core.deals import Deal
from pyramide_core.errors import IllegalMoveError, PyramideError
from pyramide_core.game import UNDO, Game
from pyramide_core.moves import DRAW, RECYCLE, parse_move
from pyramide_core.rules import VARIANTS, Rules
from pyramide_core.transcript import MOST_REPEATED, Transcript, TranscriptError
from tests.tables import deal_with, small_deal, spelled_out

CODE = "PY1-N-AAAAAAS"
DOCUMENTED = Deal.from_code(CODE)
WHEN = datetime(2026, 11, 30, 8, 13, tzinfo=UTC)

FULL = """\
Program: Pyramide 0.1.0
Code: PY1-N-AAAAAAS
Rules: pyramide
Date: 2026-11-30T08:13:00+00:00
Result: unfinished
Score: 30
Moves: 6
Time: 1:07

1. KD 10C+3S D*3 U D
"""


class Ticking:
    """A source of time that stands until it is moved."""

    def __init__(self):
        self.seconds = 0.0

    def __call__(self):
        return self.seconds


def played(rules=VARIANTS["pyramide"], deal=DOCUMENTED, line="KD 10C+3S D*3 U D"):
    time = Ticking()
    game = Game(deal, rules, now=time)
    for word in spelled_out(line):
        game.undo() if word == UNDO else game.play(word)
    time.seconds = 67.8
    return game


def entries(text):
    return tuple(map(str, Transcript.parse(text).entries))


# Writing and reading ---------------------------------------------------------------------------------------------------


def test_a_game_is_written_with_its_header_and_its_moves():
    text = Transcript.from_game(played(), WHEN).write()
    assert text.splitlines()[1:] == FULL.splitlines()[1:]
    assert text.splitlines()[0].startswith("Program: Pyramide ")


def test_a_transcript_is_read_as_it_stands():
    transcript = Transcript.parse(FULL)
    assert transcript == Transcript(
        DOCUMENTED,
        VARIANTS["pyramide"],
        (parse_move("KD"), parse_move("10C+3S"), DRAW, DRAW, DRAW, UNDO, DRAW),
        "Pyramide 0.1.0",
        WHEN,
        "unfinished",
        30,
        6,
        67,
    )
    assert transcript.write() == FULL


def test_without_a_date_the_present_is_written_down():
    assert abs((Transcript.from_game(played()).date - datetime.now(UTC)).total_seconds()) < 60


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (f"{CODE} KD D R U", "KD D R U"),
        (f"{CODE}\nKD\nD", "KD D"),
        (f"  {CODE.lower()}  kd, 10c+3s; d  ", "KD 10C+3S D"),
        (f"Code: {CODE}\nKD", "KD"),
        ("code : py1 n aaaaaas\n\nKD", "KD"),
        (f"\ufeff{CODE}\r\nKD\r\n", "KD"),
        (f"{CODE} 1. KD 2. 10C+3S 3. D*2", "KD 10C+3S D D"),
        (f"{CODE} 1.KD 2...10C+3S", "KD 10C+3S"),
        (f"{CODE} 10♣ + 3♠  D * 2 R♦", "10C+3S D D KD"),
        (f"# a bug, says Ann\n{CODE} # her deal\nKD # the king: first\n#\nD", "KD D"),
        (f"{CODE}", ""),
        (f"{CODE} U*3", "U U U"),
    ],
)
def test_moves_are_read_with_or_without_header_numbers_and_comments(text, wanted):
    assert " ".join(entries(text)) == wanted


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        (f"{CODE} D", "pyramide"),
        (f"classic {CODE} D", "classic"),
        (f"{CODE} classic D", "classic"),
        (f"{CODE}\nthirteen_three_piles\nD", "thirteen_three_piles"),
        (f"mix,passes=3 {CODE}", "mix,passes=3"),
        (f"Rules: mix, passes=3, goal=all\n{CODE}", "mix,passes=3,goal=all"),
        (f"Code: {CODE}\nRules: Tuts Tomb", "tuts_tomb"),
    ],
)
def test_the_rules_stand_before_the_code_or_after_it_or_are_pyramide(text, rules):
    assert Transcript.parse(text).rules.text == rules


def test_a_deal_given_card_by_card_has_its_long_code():
    deal = deal_with({7: "KC KD"})
    transcript = Transcript(deal, Rules(), (parse_move("KC"),))
    assert "Code: PY1-X-" in transcript.write()
    assert Transcript.parse(transcript.write()).deal == deal


def test_a_deal_of_fewer_cards_cannot_be_written_down():
    with pytest.raises(TranscriptError, match="Only a deal of 52 cards has a code"):
        Transcript(small_deal("AC 2C 3C 4C 5C 6C"), Rules(layout="pyramid_3")).write()


def test_long_games_are_written_in_lines_with_the_number_of_their_first_entry():
    game = played(line="D*23 R " + "D U " * 8 + "D*24 R D*5")
    lines = Transcript.from_game(game).write().splitlines()[-3:]
    assert lines[0] == "1. D*23 R D U D U D U D U"
    # 23 draws, a recycle, and eight more entries are before it; then ten, of which one is 24 draws.
    assert lines[1].startswith("33. ")
    assert lines[2] == "66. D*5"
    assert all(len(line) < 100 for line in lines)


def test_a_repetition_longer_than_can_be_read_is_written_in_parts():
    count = 2 * MOST_REPEATED + 1
    transcript = Transcript(DOCUMENTED, Rules(), (DRAW,) * count)
    assert f"D*{MOST_REPEATED} D*{MOST_REPEATED} D\n" in transcript.write()
    assert Transcript.parse(transcript.write()) == transcript


headers = st.fixed_dictionaries(
    {
        "program": st.text(max_size=20).map(lambda text: " ".join(text.replace("#", "").split())),
        "date": st.none() | st.datetimes(timezones=st.none() | st.just(UTC)).map(lambda t: t.replace(microsecond=0)),
        "result": st.sampled_from([None, "won", "dead-end", "unfinished"]),
        "score": st.none() | st.integers(0, 10_000),
        "moves": st.none() | st.integers(0, 10_000),
        "seconds": st.none() | st.integers(0, 10**6),
    }
)
logs = st.lists(st.sampled_from([DRAW, RECYCLE, UNDO, parse_move("KD"), parse_move("10C+3S")]), max_size=40)


@given(headers, logs)
def test_whatever_is_written_reads_back(header, log):
    transcript = Transcript(DOCUMENTED, VARIANTS["cheops"], tuple(log), **header)
    assert Transcript.parse(transcript.write()) == transcript


# What is wrong with a text -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "There is no code in the transcript"),
        ("# only a comment", "There is no code in the transcript"),
        ("Rules: classic", "There is no code in the transcript"),
        ("KD D", "Line 1: The code must stand before “KD”."),
        ("\n\n1. KD", "Line 3: The code must stand before “1.”."),
        ("classic KD", "Line 1: The code must stand before “KD”."),
        (f"clasic {CODE}", "Line 1: There is no rule set “clasic”."),
        (f"{CODE} clasic", "Line 1: “clasic” is not a move"),
        (f"{CODE}\nKD 10C+3S\nD D XX D", "Line 3: “XX” is not a move"),
        (f"{CODE} KD 10C3S", "Line 1: “10C3S” is not a move"),
        (f"{CODE} KD*2", "Line 1: “KD*2” cannot be read: only D and U can be repeated"),
        (f"{CODE} D*", "Line 1: “D*” cannot be read"),
        (f"{CODE} D*x", "Line 1: “D*x” cannot be read"),
        (f"{CODE} D*0", "Line 1: “D*0”: a repetition is from 1 to 9999"),
        (f"{CODE} D*10000", "Line 1: “D*10000”: a repetition is from 1 to 9999"),
        (f"{CODE} D*{'9' * 5000}", "a repetition is from 1 to 9999"),
        (f"{CODE} {'D*9999 ' * 11}", "at most 100000 moves"),
        (f"{CODE}\n{CODE}", "Line 2: There is already a code."),
        (f"Code: {CODE}\nCode: {CODE}", "Line 2: The header “Code” stands twice."),
        (f"classic {CODE} thirteen", "Line 1: There are already rules."),
        (f"{CODE}\nKD\nScore: 10", "Line 3: The header “Score” must stand before the moves."),
        ("Rulse: classic", "Line 1: There is no header “Rulse”. There are: Program, Code"),
        ("Code: PY1-N-AAAAAA", "Line 1: Code “PY1-N-AAAAAA”: The code is too short"),
        ("PY1-N-AAAAAA1 D", "Line 1: “1” (letter 7 after PY1-N-) cannot stand in a code"),
        ("Rules: clasic", "Line 1: Rules “clasic”: There is no rule set “clasic”."),
        ("Rules: mix,passes=0", "Line 1: Rules “mix,passes=0”: passes cannot be “0”"),
        ("Date: yesterday", "Line 1: Date “yesterday”: A date is written like"),
        ("Result: winning", "Line 1: Result “winning”: A result is one of: won, dead-end, unfinished."),
        ("Score: many", "Line 1: Score “many”: This must be a whole number."),
        ("Score: -10", "Line 1: Score “-10”: This must be a whole number."),
        ("Moves: 1.5", "Line 1: Moves “1.5”: This must be a whole number."),
        ("Time: 90", "Line 1: Time “90”: A time is written like 3:07 or 1:03:07."),
        ("Time: 3:75", "Line 1: Time “3:75”: A time is written like"),
        ("Time: 1:75:00", "Line 1: Time “1:75:00”: A time is written like"),
        (f"{CODE} {'x' * 5000}", "…"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line(text, message):
    with pytest.raises(TranscriptError) as refusal:
        Transcript.parse(text)
    assert message in str(refusal.value)
    assert len(str(refusal.value)) < 450
    assert "\n" not in str(refusal.value)


@given(st.text() | st.text(alphabet="KQD10CS+*UR#: \n", max_size=60).map(f"{CODE} ".__add__))
def test_any_text_is_a_transcript_or_refused(text):
    try:
        transcript = Transcript.parse(text)
    except PyramideError:
        return
    assert Transcript.parse(transcript.write()) == transcript


# Replaying ---------------------------------------------------------------------------------------------------------------


def test_a_replay_leads_to_the_same_game():
    game = played()
    again = Transcript.parse(Transcript.from_game(game).write()).replay()
    assert again.position == game.position
    assert (again.score, again.moves, again.undos, again.log) == (game.score, game.moves, game.undos, game.log)
    assert int(again.clock.elapsed) == 67
    assert not again.clock.is_running


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ("KD 10C+3S 7C+7S", "Move 3: 7C+7S is not possible here: The sum must be 13"),
        ("D*3 KH", "Move 4: KH is not possible here: K♥ is not available."),
        ("KD R", "Move 2: R is not possible here: The stock is not empty yet."),
        ("D*23 D", "Move 24: D is not possible here: The stock is empty."),
        ("U", "Move 1: There is nothing to undo."),
        ("KD U KD U U", "Move 5: There is nothing to undo."),
        ("KD KD", "Move 2: KD is not possible here: K♦ is not in play any more."),
    ],
)
def test_an_impossible_move_is_refused_with_its_number_and_why(moves, message):
    transcript = Transcript.parse(f"{CODE} {moves}")
    for replay in (transcript.replay, transcript.steps):
        with pytest.raises(IllegalMoveError) as refusal:
            replay()
        assert str(refusal.value) == message


def test_the_number_of_an_impossible_move_is_the_one_written_before_it():
    words = ["KD", "10C+3S", *["D"] * 5, "U", "D", "D", "R"]
    transcript = Transcript(DOCUMENTED, Rules(), tuple(w if w == UNDO else parse_move(w) for w in words))
    with pytest.raises(IllegalMoveError, match=r"^Move 11: R"):
        transcript.replay()
    assert transcript.write().splitlines()[-1] == "1. KD 10C+3S D*5 U D*2 R"


def test_the_same_moves_are_judged_by_the_rules_of_the_header():
    line = "D*24 R"
    assert Transcript.parse(f"classic {CODE} {line}").replay().recycles == 1
    with pytest.raises(IllegalMoveError, match=r"Move 25: R is not possible here: No pass is left\."):
        Transcript.parse(f"thirteen {CODE} {line}").replay()


def test_claims_that_the_moves_do_not_bear_out_are_reported():
    text = FULL.replace("Score: 30", "Score: 280").replace("unfinished", "won").replace("Moves: 6", "Moves: 4")
    transcript = Transcript.parse(text)
    game = transcript.replay()
    assert transcript.mismatches(game) == (
        "The header says that the result is won, but the moves lead to: unfinished.",
        "The header says that the score is 280, but the moves give 30.",
        "The header says that there were 4 moves, but 6 are recorded.",
    )
    assert Transcript.parse(f"{CODE} KD").mismatches(game) == ()


def test_a_won_and_a_blocked_game_have_their_results():
    won = played(
        Rules(layout="pyramid_3"), deal_with(places=dict(enumerate("KC KD KH 6C 7C KS".split()))), "7C+6C KS KD KH KC"
    )
    assert Transcript.from_game(won).result == "won"
    dead = played(VARIANTS["thirteen"], Deal.from_code("PY1-N-AAAAAAJ"), "D*24")
    while dead.outcome is None:
        dead.play(dead.position.legal_moves()[0])
    assert Transcript.from_game(dead).result == "dead-end"


def test_the_steps_of_a_replay_show_every_moment():
    steps = Transcript.parse(f"{CODE} KD 10C+3S U D").steps()
    assert [step.number for step in steps] == [0, 1, 2, 3, 4]
    assert [str(step.entry) for step in steps[1:]] == ["KD", "10C+3S", "U", "D"]
    assert [step.score for step in steps] == [0, 10, 30, 10, 10]
    assert [step.moves for step in steps] == [0, 1, 2, 2, 3]
    assert steps[3].position == steps[1].position
    assert steps[0].entry is None
