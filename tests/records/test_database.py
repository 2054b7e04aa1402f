"""Databases that are damaged, newer, old, foreign or not there: each is told in a sentence, and none is overwritten."""

import multiprocessing
import os
import random
import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, text

from pyramide_core.records import database, models
from pyramide_core.records.database import SCHEMAS, VERSION_TABLE, Database, database_url, migrate
from pyramide_core.records.errors import DamagedError, NewerError, OffError, RecordsError
from pyramide_core.records.saved import GameFacts
from pyramide_core.records.store import Records
from pyramide_core.records.tokens import hash_token
from tests.records.support import TOKEN, a_game, saved

FOLDER = Path(database.__file__).parent


def filled(path: Path, games: int = 12) -> Path:
    """Make an SQLite database with games in it, closed, so that everything is in the one file."""
    records = Records.open(str(path))
    account = records.account(TOKEN)
    for seed in range(games):
        kept = saved(a_game(seed, actions=15))
        account.save(kept.facts, kept.log, 0)
    records.close()
    return path


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


# Where it is ---------------------------------------------------------------------------------------------------------


def test_database_is_in_the_users_data_by_default(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("PYRAMIDE_DATABASE")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(database.platformdirs, "user_data_path", lambda name, appauthor: tmp_path / name)
    url = database_url()
    assert url is not None
    assert url.drivername == "sqlite"
    assert url.database == str(tmp_path / "pyramide" / "records.sqlite3")


@pytest.mark.parametrize(
    ("value", "driver", "place"),
    [
        ("records.db", "sqlite", "records.db"),
        ("  /a/b.sqlite3 ", "sqlite", "/a/b.sqlite3"),
        ("sqlite:////a/b.sqlite3", "sqlite", "/a/b.sqlite3"),
        ("postgres://u:p@h:1/d", "postgresql+psycopg", "d"),
        ("postgresql://u:p@h/d", "postgresql+psycopg", "d"),
        ("postgresql+psycopg://u@h/d", "postgresql+psycopg", "d"),
    ],
)
def test_setting_names_a_file_or_an_address(value: str, driver: str, place: str) -> None:
    url = database_url(value)
    assert url is not None
    assert (url.drivername, url.database) == (driver, place)


@pytest.mark.parametrize("value", ["off", "OFF "])
def test_records_can_be_switched_off(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("PYRAMIDE_DATABASE", value)
    assert database_url() is None
    with pytest.raises(OffError):
        Records.open()


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("http://u:secret@somewhere/else", "driver"),
        ("postgresql://u:secret@127.0.0.1:1/d", "cannot be used"),
        ("postgresql://u:secret@h:none/d", "PYRAMIDE_DATABASE"),
        ("mysql+nonsense://u:secret@h/d", "driver"),
        ("mysql+pymysql://u:secret@h/d", "pymysql"),
    ],
)
def test_what_is_no_database_is_told_without_its_password(value: str, words: str) -> None:
    with pytest.raises(RecordsError) as raised:
        Records.open(value)
    said = str(raised.value)
    assert words in said
    assert "secret" not in said
    assert "\n" not in said


def test_file_and_folder_are_for_their_owner_alone(tmp_path: Path) -> None:
    if os.name != "posix":
        pytest.skip("permissions are another matter on this system")
    old = os.umask(0)
    try:
        path = filled(tmp_path / "new" / "records.sqlite3", games=1)
    finally:
        os.umask(old)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_place_that_cannot_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    for place in (tmp_path / "file" / "records.sqlite3", tmp_path):
        with pytest.raises(RecordsError, match="cannot be used"):
            Records.open(str(place))


def test_write_ahead_log_is_used(tmp_path: Path) -> None:
    path = filled(tmp_path / "r.sqlite3", games=1)
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


# Damage --------------------------------------------------------------------------------------------------------------


def cut(fraction: float) -> Callable[[bytes], bytes]:
    return lambda data: data[: int(len(data) * fraction)]


def scribbled(start: int, length: int) -> Callable[[bytes], bytes]:
    def scribble(data: bytes) -> bytes:
        noise = random.Random(start).randbytes(length)
        return data[:start] + noise + data[start + length :]

    return scribble


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "a half": cut(0.5),
    "all but the last byte": lambda data: data[:-1],
    "one page": lambda data: data[:4096],
    "half a page": lambda data: data[:2048],
    "one byte": lambda data: data[:1],
    "random bytes": lambda data: random.Random(1).randbytes(len(data)),
    "random beginning": scribbled(0, 100),
    "random first page": scribbled(100, 3000),
    "a text": lambda _data: b"this is no database\n" * 100,
    "zeros": lambda data: bytes(len(data)),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_damaged_file_is_told_and_left_as_it_is(tmp_path: Path, name: str) -> None:
    path = filled(tmp_path / "r.sqlite3")
    path.write_bytes(DAMAGES[name](path.read_bytes()))
    before = path.read_bytes()
    with pytest.raises(DamagedError) as raised:
        Records.open(str(path))
    assert str(path) in str(raised.value)
    assert path.read_bytes() == before


def test_random_damage_is_found_or_does_no_harm(tmp_path: Path) -> None:
    """Bytes changed anywhere: either the damage is told, or the games are read; never anything else."""
    path = filled(tmp_path / "r.sqlite3")
    whole = path.read_bytes()
    chance = random.Random(7)
    told: list[str] = []
    for _try in range(40):
        place, length = chance.randrange(len(whole)), chance.choice([1, 8, 200])
        path.write_bytes(whole[:place] + chance.randbytes(length) + whole[place + length :])
        for name in ("r.sqlite3-wal", "r.sqlite3-shm"):
            (tmp_path / name).unlink(missing_ok=True)
        try:
            records = Records.open(str(path))
            try:
                for kept in records.account(TOKEN).saved_games():
                    kept.restore(now=lambda: 0.0)
            finally:
                records.close()
        except RecordsError as error:
            told.append(str(error))
    # Most places of the file hold texts and numbers of games, where a change is seen only when the game is replayed.
    assert len(told) >= 3
    assert not [sentence for sentence in told if "\n" in sentence]


def test_empty_file_is_a_new_database(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite3"
    path.touch()
    filled(path, games=1)
    records = Records.open(str(path))
    assert len(records.account(TOKEN).games()) == 1
    records.close()


def test_file_of_another_program_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite3"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.close()
    before = content(tmp_path)
    with pytest.raises(DamagedError, match="another program"):
        Records.open(str(path))
    assert content(tmp_path) == before


@pytest.mark.parametrize("change", [f"DROP TABLE {VERSION_TABLE}", f"DELETE FROM {VERSION_TABLE}"])
def test_database_without_its_version_is_left_as_it_is(setting: str, change: str) -> None:
    Records.open(setting).close()
    url = database_url(setting)
    assert url is not None
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text(change))
    engine.dispose()
    with pytest.raises(DamagedError):
        Records.open(setting)


def test_newer_database_is_told_and_left_as_it_is(setting: str) -> None:
    records = Records.open(setting)
    kept = saved(a_game())
    records.account(TOKEN).save(kept.facts, kept.log, 0)
    with records.database.write() as connection:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '9999'"))
    records.close()
    with pytest.raises(NewerError, match="9999") as raised:
        Records.open(setting)
    assert "update Pyramide" in str(raised.value)
    url = database_url(setting)
    assert url is not None
    engine = create_engine(url)
    with engine.connect() as connection:
        assert connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalars().all() == ["9999"]
        assert connection.execute(text("SELECT count(*) FROM pyramide_entries")).scalar_one() == len(kept.log)
    engine.dispose()


def test_disk_that_is_full_is_told(tmp_path: Path) -> None:
    records = Records.open(str(tmp_path / "r.sqlite3"))
    with records.database.engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
    # The limit holds for one connection, which the pool hands out again.
    raw = records.database.engine.raw_connection()
    raw.cursor().execute(f"PRAGMA max_page_count = {pages}")
    raw.close()
    account = records.account(TOKEN)
    games = [saved(a_game(seed, actions=60)) for seed in range(50)]

    def save_all() -> None:
        for kept in games:
            account.save(kept.facts, kept.log, 0)

    with pytest.raises(RecordsError, match="full"):
        save_all()
    # What was saved before is whole.
    for kept in account.saved_games():
        kept.restore(now=lambda: 0.0)
    records.close()


# Schemas -------------------------------------------------------------------------------------------------------------


def first_schema(url: str) -> None:
    """Make a database as the first schema had it, with a game that has two moves."""
    opened = database_url(url)
    assert opened is not None
    engine = database._engine(opened)
    with database._writing(engine) as connection:
        migrate(connection, SCHEMAS[0])
        connection.execute(
            text("INSERT INTO pyramide_players VALUES (1, :token, 'Ada', 1.0, 2.0)"), {"token": hash_token(TOKEN)}
        )
        connection.execute(
            text(
                "INSERT INTO pyramide_games VALUES (1, :key, 1, '', 'pyramide', 'PY1-N-AAAAAAS', '', :yes, 3, 10, 2,"
                " 1, 0, 27, 61.5, :no, 3.0, 4.0)"
            ),
            {"key": "0" * 32, "yes": True, "no": False},
        )
        for number, entry in enumerate(["KD", "10C+3S", "U"], 1):
            connection.execute(
                text("INSERT INTO pyramide_entries VALUES (1, :number, :entry)"), {"number": number, "entry": entry}
            )
    engine.dispose()


def test_first_schema_is_migrated_with_all_games(setting: str) -> None:
    if setting.startswith("/"):
        Path(setting).parent.mkdir(exist_ok=True)
    first_schema(setting)
    records = Records.open(setting)
    found = records.account(TOKEN).current_game("Ada")
    assert found is not None
    assert found.log == ("KD", "10C+3S", "U")
    assert found.facts == GameFacts(
        key="0" * 32, rules="pyramide", code="PY1-N-AAAAAAS", player="Ada", entries=3, score=10, moves=2, undos=1,
        cards_left=27, seconds=61.5, started_at=3.0, updated_at=4.0,
    )  # fmt: skip
    game = found.restore(now=lambda: 0.0)
    assert (game.score, game.moves, game.undos) == (10, 2, 1)
    # And what came with the later schemas works on it.
    from pyramide_core import Deal, Rules
    from pyramide_core.records.classes import Teacher

    assert Teacher(records, TOKEN).open_class([Deal.from_seed(1)], Rules()).deals == ("PY1-N-AAAAAAB",)
    with records.database.read() as connection:
        assert (
            MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE}).get_current_revision()
            == (SCHEMAS[-1])
        )
    records.close()


def test_migrations_lead_to_the_models(setting: str) -> None:
    records = Records.open(setting)
    with records.database.read() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE, "compare_type": True})
        assert compare_metadata(context, models.Base.metadata) == []
    records.close()


def test_known_schemas_are_those_of_the_migrations() -> None:
    config = Config()
    config.set_main_option("script_location", str(FOLDER / "migrations"))
    scripts = ScriptDirectory.from_config(config)
    assert [script.revision for script in reversed(list(scripts.walk_revisions()))] == list(SCHEMAS)


def test_migration_that_fails_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "r.sqlite3"
    first_schema(str(path))
    whole = migrate

    def half(connection: object, schema: str = "head") -> None:
        whole(connection, schema)  # type: ignore[arg-type]
        raise sqlite3.OperationalError("the power went off")

    monkeypatch.setattr(database, "migrate", half)
    with pytest.raises(RecordsError, match="power"):
        Records.open(str(path))
    monkeypatch.undo()
    records = Records.open(str(path))
    assert len(records.account(TOKEN).games()) == 1
    records.close()


def open_and_close(setting: str, barrier: object) -> None:
    barrier.wait()  # type: ignore[attr-defined]
    url = database_url(setting)
    if url is not None:
        Database.open(url).close()


def test_several_programs_make_the_database_at_once(setting: str) -> None:
    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("fork" if "fork" in methods else None)
    barrier = context.Barrier(5)
    programs = [context.Process(target=open_and_close, args=(setting, barrier)) for _number in range(5)]
    for program in programs:
        program.start()
    for program in programs:
        program.join(120)
    assert [program.exitcode for program in programs] == [0] * 5
    records = Records.open(setting)
    records.account(TOKEN).choose("Ada")
    records.close()
