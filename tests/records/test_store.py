"""Saved games in SQLite and in a real PostgreSQL: what goes in comes back, and nobody sees what is another's."""

import multiprocessing
from dataclasses import replace
from pathlib import Path

import pytest

from pyramide_core import VARIANTS, Deal, Game
from pyramide_core.records.errors import ConflictError, DamagedError, NotYoursError, RecordsError
from pyramide_core.records.saved import GameFacts, facts_of, make_key
from pyramide_core.records.store import Account, Records
from tests.records.support import OTHER, TOKEN, a_game, play_by_chance, saved, won_game

# Saving and coming back ----------------------------------------------------------------------------------------------


def test_every_action_saved_one_by_one_comes_back_whole(mine: Account) -> None:
    ticks = iter(range(10_000))
    game = Game(Deal.from_code("PY1-N-AAAAAAS"), VARIANTS["pyramide"], now=lambda: float(next(ticks)))
    facts = GameFacts(key=make_key(), rules="", code="", player="Ada", started_at=7.5)
    mine.save(facts_of(game, facts, hints=0, at=8.0), [], 0)
    for number in range(30):
        play_by_chance(game, number + 1, seed=number)
        facts = facts_of(game, facts, hints=2, at=9.0 + number)
        mine.save(facts, [str(game.log[-1])], number)
        found = mine.current_game("Ada")
        assert found is not None
        assert found.facts == facts
        assert found.log == tuple(map(str, game.log))
    back = mine.game(facts.key).restore(now=lambda: 0.0)
    assert (back.position, back.score, back.moves, back.undos) == (game.position, game.score, game.moves, game.undos)
    assert back.log == game.log
    assert back.clock.elapsed == facts.seconds > 0
    # The undo history is there to its first entry.
    while game.can_undo:
        assert back.undo().move == game.undo().move
    assert not back.can_undo
    assert back.position == game.position


def test_paused_game_comes_back_paused(mine: Account) -> None:
    now = iter([0.0, 3.0, 4.0, 9.0])
    game = Game(Deal.from_seed(5), VARIANTS["classic"], now=lambda: next(now, 99.0))
    game.play("D")
    game.clock.hold("paused")
    kept = saved(game)
    mine.save(kept.facts, kept.log, 0)
    back = mine.game(kept.facts.key).restore(now=lambda: 50.0)
    assert back.clock.holds == {"paused"}
    assert back.clock.elapsed == 3.0


@pytest.mark.parametrize("rules", sorted(VARIANTS))
def test_every_rule_set_comes_back(tmp_path: Path, rules: str) -> None:
    records = Records.open(str(tmp_path / "r.sqlite3"))
    game = a_game(3, 25, rules)
    kept = saved(game)
    records.account(TOKEN).save(kept.facts, kept.log, 0)
    back = records.account(TOKEN).game(kept.facts.key).restore()
    assert back.rules == VARIANTS[rules]
    assert back.position == game.position
    records.close()


def test_deal_typed_card_by_card_comes_back(mine: Account) -> None:
    deal = Deal.from_text(" ".join(map(str, reversed(Deal.from_seed(1).cards))))
    game = Game(deal, VARIANTS["pyramide"])
    kept = saved(game)
    mine.save(kept.facts, kept.log, 0)
    assert mine.game(kept.facts.key).restore().deal.cards == deal.cards


def test_save_takes_all_or_nothing(mine: Account) -> None:
    kept = saved(a_game())
    mine.save(kept.facts, kept.log, 0)
    # An entry that does not fit its column fails in one database and not in the other; a wrong number in both.
    with pytest.raises(ConflictError):
        mine.save(replace(kept.facts, score=999, entries=22), ["D", "D"], 19)
    assert mine.game(kept.facts.key) == kept


def test_game_changed_elsewhere_is_not_overwritten(mine: Account) -> None:
    kept = saved(a_game())
    mine.save(kept.facts, kept.log, 0)
    mine.save(replace(kept.facts, entries=21), ["D"], 20)
    for new in (["R"], []):
        with pytest.raises(ConflictError):
            mine.save(replace(kept.facts, entries=20 + len(new), score=0), new, 20)
    assert mine.game(kept.facts.key).log == (*kept.log, "D")
    assert mine.game(kept.facts.key).facts.score == kept.facts.score


def test_new_game_makes_the_one_before_a_left_one(mine: Account) -> None:
    first, untouched, last = saved(a_game(1)), saved(a_game(2, actions=0)), saved(a_game(3))
    for kept in (first, untouched, last):
        mine.save(kept.facts, kept.log, 0)
    assert mine.current_game("Ada") == last
    # A deal on which nothing was played leaves no trace.
    assert [game.key for game in mine.games("Ada")] == [first.facts.key, last.facts.key]
    assert mine.game(first.facts.key).facts.is_left
    assert not mine.game(last.facts.key).facts.is_left


def test_left_game_that_is_played_on_is_the_current_one_again(mine: Account) -> None:
    first, last = saved(a_game(1)), saved(a_game(3))
    for kept in (first, last):
        mine.save(kept.facts, kept.log, 0)
    mine.save(replace(first.facts, entries=21), ["D"], 20)
    current = mine.current_game("Ada")
    assert current is not None
    assert current.facts.key == first.facts.key
    assert mine.game(last.facts.key).facts.is_left


def test_won_game_is_nothing_to_come_back_to(mine: Account) -> None:
    kept = saved(won_game())
    mine.save(kept.facts, kept.log, 0)
    assert kept.facts.is_won
    assert mine.current_game("Ada") is None
    assert mine.unfinished_game(kept.facts.code, "pyramide") is None
    assert mine.games("Ada") == [kept.facts]


def test_tables_do_not_disturb_each_other(mine: Account) -> None:
    board, lesson = saved(a_game(1)), saved(a_game(2), slot="lesson-3")
    for kept in (board, lesson):
        mine.save(kept.facts, kept.log, 0)
    assert mine.current_game("Ada") == board
    assert mine.current_game("Ada", "lesson-3") == lesson


def test_unfinished_game_of_a_deal_is_found_though_left(mine: Account) -> None:
    first, last = saved(a_game(1)), saved(a_game(3))
    for kept in (first, last):
        mine.save(kept.facts, kept.log, 0)
    found = mine.unfinished_game(first.facts.code, "pyramide")
    assert found is not None
    assert found.log == first.log
    assert mine.unfinished_game(first.facts.code, "classic") is None
    assert mine.unfinished_game(saved(a_game(9)).facts.code, "pyramide") is None


# Tokens --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("token", ["", "short", "0" * 31, "x" * 200, "ü" * 40, "' OR 1=1 --" * 4, None, 7])
def test_what_is_no_token_opens_nothing(records: Records, token: object) -> None:
    with pytest.raises(RecordsError):
        records.account(token)  # type: ignore[arg-type]


def test_another_token_sees_nothing(mine: Account, others: Account) -> None:
    kept = saved(a_game())
    mine.save(kept.facts, kept.log, 0)
    # The same name, guessed, is another player.
    others.choose("Ada")
    assert others.current_game() is None
    assert others.current_game("Ada") is None
    assert others.games() == others.games("Ada") == others.saved_games("Ada") == []
    assert others.unfinished_game(kept.facts.code, "pyramide") is None
    with pytest.raises(NotYoursError):
        others.game(kept.facts.key)
    assert others.players() == ["Ada"]


def test_another_token_changes_nothing(mine: Account, others: Account) -> None:
    kept = saved(a_game())
    mine.save(kept.facts, kept.log, 0)
    others.choose("Ada")
    for already, new in ((20, ["D"]), (0, ["D"]), (20, []), (0, [])):
        with pytest.raises(ConflictError):
            others.save(replace(kept.facts, entries=already + len(new), score=0), new, already)
    with pytest.raises(NotYoursError):
        others.rename("Bob", "Eve")
    others.rename("Ada", "Eve")
    assert others.delete("Ada") == 0
    assert others.delete() == 1
    assert mine.current_game("Ada") == kept
    assert mine.players() == ["Ada"]


def test_token_is_not_in_the_database(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite3"
    records = Records.open(str(path))
    records.account(TOKEN).choose("Ada")
    records.close()
    content = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b"Ada" in content
    assert TOKEN.encode() not in content


def test_error_for_a_missing_game_is_that_for_anothers(mine: Account, others: Account) -> None:
    kept = saved(a_game())
    mine.save(kept.facts, kept.log, 0)
    said = []
    for key in (kept.facts.key, make_key()):
        with pytest.raises(NotYoursError) as raised:
            others.game(key)
        said.append(str(raised.value))
    assert said[0] == said[1]


# Players -------------------------------------------------------------------------------------------------------------


def test_players_of_a_browser(records: Records) -> None:
    times = iter([1.0, 2.0, 3.0])
    records.wall = lambda: next(times)
    mine = records.account(TOKEN)
    for name in ("Ada", " Bob  B. ", "Ada"):
        mine.choose(name)
    assert mine.players() == ["Ada", "Bob B."]
    assert mine.rename("Bob B.", "Cleo") == "Cleo"
    with pytest.raises(RecordsError, match="Ada"):
        mine.rename("Cleo", "Ada")
    assert mine.players() == ["Ada", "Cleo"]


@pytest.mark.parametrize("name", ["a" * 41, "tab\x00", "\x1b[2J", "\u202eAda"])
def test_name_that_cannot_be_shown_is_refused(mine: Account, name: str) -> None:
    with pytest.raises(RecordsError):
        mine.choose(name)
    assert mine.players() == []


def test_delete_leaves_nothing(mine: Account, others: Account, setting: str) -> None:
    kept, theirs = saved(a_game(1)), saved(a_game(2), player="Bob")
    mine.save(kept.facts, kept.log, 0)
    mine.save(theirs.facts, theirs.log, 0)
    others.save(saved(a_game(3)).facts, (), 0)
    assert mine.delete("Ada") == 1
    assert mine.games() == [theirs.facts]
    assert mine.delete() == 1
    assert mine.players() == mine.games() == []
    assert len(others.games()) == 1
    # Nothing of them is left in any table.
    from sqlalchemy import func, select

    from pyramide_core.records.models import Entry, Player

    with mine.records.database.read() as connection:
        assert connection.execute(select(func.count()).select_from(Entry)).scalar_one() == 0
        assert connection.execute(select(func.count()).select_from(Player)).scalar_one() == 1


# Import and rows -----------------------------------------------------------------------------------------------------


def test_games_from_elsewhere_are_added_once(mine: Account) -> None:
    games = [replace(kept, facts=replace(kept.facts, is_current=False)) for kept in map(saved, map(a_game, range(4)))]
    games.append(saved(won_game()))
    assert mine.add_games(games[:3]) == (3, 0)
    assert mine.add_games(games) == (2, 3)
    assert mine.add_games(games) == (0, 5)
    assert sorted(game.log for game in mine.saved_games("Ada")) == sorted(game.log for game in games)
    # They are not what the dashboard comes back to.
    assert mine.current_game("Ada") is None


def test_damaged_rows_are_told(mine: Account) -> None:
    from sqlalchemy import delete, update

    from pyramide_core.records.models import Entry, Game

    kept = saved(a_game())
    mine.save(kept.facts, kept.log, 0)
    with mine.records.database.write() as connection:
        connection.execute(delete(Entry).where(Entry.number == 7))
    with pytest.raises(DamagedError):
        mine.game(kept.facts.key)
    with mine.records.database.write() as connection:
        connection.execute(update(Game).values(result="nonsense"))
    with pytest.raises(DamagedError):
        mine.games()


def test_log_that_does_not_replay_is_told(mine: Account) -> None:
    kept = saved(a_game(actions=3))
    wrong = replace(kept, log=("KD", "KD", "KD"))
    mine.save(wrong.facts, wrong.log, 0)
    with pytest.raises(RecordsError, match="cannot be brought back"):
        mine.game(kept.facts.key).restore()


# Two programs at once ------------------------------------------------------------------------------------------------


def write_games(setting: str, token: str, name: str, seed: int, actions: int, barrier: object) -> None:
    """Play and save a game, action by action: what a kernel does."""
    records = Records.open(setting)
    account = records.account(token)
    barrier.wait()  # type: ignore[attr-defined]
    game = Game(Deal.from_seed(seed), VARIANTS["pyramide"], now=lambda: 0.0)
    facts = GameFacts(key=f"{seed:032x}", rules="", code="", player=name, slot=f"table-{seed}")
    account.save(facts_of(game, facts, hints=0, at=1.0), [], 0)
    for number in range(actions):
        play_by_chance(game, number + 1, seed=seed * 1000 + number)
        account.save(facts_of(game, facts, hints=0, at=1.0), [str(game.log[-1])], number)
    records.close()


def test_programs_that_write_at_once_lose_nothing(setting: str) -> None:
    """Two kernels of one player and two of others, all starting on a database that is not there yet."""
    # A fork has everything imported already.
    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("fork" if "fork" in methods else None)
    seeds, actions = (1, 2, 3, 4), 40
    barrier = context.Barrier(len(seeds))
    writers = [
        context.Process(target=write_games, args=(setting, TOKEN if seed < 3 else OTHER, "Ada", seed, actions, barrier))
        for seed in seeds
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(120)
    assert [writer.exitcode for writer in writers] == [0] * len(seeds)
    records = Records.open(setting)
    for seed in seeds:
        found = records.account(TOKEN if seed < 3 else OTHER).game(f"{seed:032x}")
        expected = Game(Deal.from_seed(seed), VARIANTS["pyramide"])
        for number in range(actions):
            play_by_chance(expected, number + 1, seed=seed * 1000 + number)
        assert found.log == tuple(map(str, expected.log))
        assert found.restore().position == expected.position
    assert records.account(TOKEN).players() == ["Ada"]
    records.close()
