"""The database: where it is, whether it can be used, and its transactions. Knows no game.

By default it is an SQLite file in the user's data directory, with a write-ahead log, so that several programs can read
and write at once. `PYRAMIDE_DATABASE` names another one: a file, an SQLAlchemy URL, or `off` for none. A database is
looked at before anything is written to it: one that is damaged, newer, or another program's is left as it is.
"""

import os
import sqlite3
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import platformdirs
from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from pyramide_core.messages import _, shorten
from pyramide_core.records.errors import DamagedError, NewerError, RecordsError

VARIABLE = "PYRAMIDE_DATABASE"
OFF = "off"
FILE_NAME = "records.sqlite3"
VERSION_TABLE = "pyramide_version"
SCHEMAS = ("0001", "0002")
"""All schemas, the present one last; a test compares them with the migrations."""
BUSY_SECONDS = 15
"""How long a program waits for another one that is writing."""
_LOCK = 0x50595231
"""The advisory lock that keeps two programs from migrating the same PostgreSQL database: "PYR1"."""
_WRITES = "pyramide_writes"
_LARGEST_CHECK = 64 * 1024 * 1024
_HEADER = struct.Struct(">16sH10xI")
"""What an SQLite file begins with: its mark, the size of a page in bytes (1 is 65536), and the number of pages."""


def default_path() -> Path:
    """Return the SQLite file of this user."""
    return platformdirs.user_data_path("pyramide", appauthor=False) / FILE_NAME


def database_url(setting: str | None = None) -> URL | None:
    """Return where the records are: by the setting, or by the environment; None when they are switched off.

    Raises RecordsError for a setting that names no database.
    """
    value = (os.environ.get(VARIABLE, "") if setting is None else setting).strip()
    if value.lower() == OFF:
        return None
    if not value:
        return URL.create("sqlite", database=str(default_path()))
    if "://" not in value:
        return URL.create("sqlite", database=str(Path(value).expanduser()))
    try:
        url = make_url(value)
    except (ArgumentError, ValueError):
        # The text may hold a password and is not quoted.
        raise RecordsError(_("{variable} is no address of a database.").format(variable=VARIABLE)) from None
    if url.drivername in ("postgres", "postgresql"):
        url = url.set(drivername="postgresql+psycopg")
    return url


def shown(url: URL) -> str:
    """Return how a sentence names a database: the file, or the address without its password."""
    if url.get_backend_name() == "sqlite":
        return shorten(url.database or ":memory:", 120)
    return shorten(url.render_as_string(hide_password=True), 120)


class Database:
    """An open database with the present schema."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.name = shown(engine.url)

    @classmethod
    def open(cls, url: URL) -> "Database":
        """Open a database, make or migrate its tables; raises RecordsError with the reason why it cannot be used."""
        with told(shown(url)):
            if is_file(url):
                _make_private_folder(Path(url.database or ""))
                _check_file(Path(url.database or ""))
            engine = _engine(url)
            try:
                _bring_up_to_date(engine)
            except BaseException:
                engine.dispose()
                raise
        return cls(engine)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Open a transaction that reads; raises RecordsError when the database fails."""
        with told(self.name), self.engine.connect() as connection:
            # SQLite always reads from one moment; elsewhere all reads of the transaction must be told to.
            if self.engine.dialect.name != "sqlite":
                connection = connection.execution_options(isolation_level="REPEATABLE READ")
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Open a transaction that writes: all of it, or nothing. Raises RecordsError when the database fails."""
        with told(self.name), _writing(self.engine) as connection:
            yield connection

    def close(self) -> None:
        """Give the connections back."""
        self.engine.dispose()


# Opening -------------------------------------------------------------------------------------------------------------


def is_file(url: URL) -> bool:
    """Tell whether a URL names an SQLite file, as opposed to a server or a database in memory."""
    return url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:")


def _make_private_folder(path: Path) -> None:
    """Make the folder and the file for their owner alone: games are nobody else's business."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _check_file(path: Path) -> None:
    """Look through an SQLite file without writing to it; raises DamagedError."""
    size = path.stat().st_size
    if not size:
        return
    for _try in range(5):
        if _is_whole(path):
            break
        # Another program may be making the file at this moment.
        time.sleep(0.1)
    else:
        raise _damaged(str(path), _("it is cut off, or no database"))
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=BUSY_SECONDS)
    connection.text_factory = bytes
    try:
        # The whole check reads the whole file; a large one is checked as far as it is used.
        check = "PRAGMA quick_check(1)" if size <= _LARGEST_CHECK else "SELECT count(*) FROM sqlite_master"
        (found,) = connection.execute(check).fetchone()
    finally:
        connection.close()
    if size <= _LARGEST_CHECK and found != b"ok":
        raise _damaged(str(path), bytes(found).decode("utf-8", "replace"))


def _is_whole(path: Path) -> bool:
    """Tell whether a file begins like a database and holds all the pages that it says it has.

    SQLite itself takes a file of a few bytes for a new database, and missing bytes at the end for zeros. While another
    program has the file in use, its end may still be in the log beside it.
    """
    is_in_use = Path(f"{path}-wal").exists()
    with path.open("rb") as file:
        header = file.read(_HEADER.size)
    if len(header) < _HEADER.size:
        return False
    magic, page_size, pages = _HEADER.unpack(header)
    page_size = 65536 if page_size == 1 else page_size
    return magic == b"SQLite format 3\0" and (is_in_use or path.stat().st_size == pages * page_size)


def _engine(url: URL) -> Engine:
    options: dict[str, Any] = {"pool_pre_ping": not is_file(url)}
    if url.get_backend_name() == "sqlite":
        options["connect_args"] = {"timeout": BUSY_SECONDS, "check_same_thread": False}
    elif url.get_backend_name() == "postgresql":
        options |= {"pool_size": 2, "connect_args": {"connect_timeout": 10}}
    engine = create_engine(url, **options)
    if url.get_backend_name() == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def _set_up_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    # SQLAlchemy's begin event starts transactions; the driver's own starts would come too late for reads.
    connection.isolation_level = None
    connection.execute("PRAGMA foreign_keys = ON")
    # Every commit reaches the disk: it happens beside the game, and a power cut loses nothing.
    connection.execute("PRAGMA synchronous = FULL")


def _begin_sqlite(connection: Connection) -> None:
    # A transaction that will write takes the lock at once: two that read first and then write could not both go on.
    writes = connection.get_execution_options().get(_WRITES)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@contextmanager
def _writing(engine: Engine) -> Iterator[Connection]:
    with engine.connect().execution_options(**{_WRITES: True}) as connection, connection.begin():
        yield connection


def _use_write_ahead_log(engine: Engine) -> None:
    """Let several programs read while one writes. Where a file system cannot do that, SQLite keeps its other way."""
    connection = engine.raw_connection()
    try:
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode")
        if cursor.fetchone() != ("wal",):
            cursor.execute("PRAGMA journal_mode = WAL")
        cursor.close()
    finally:
        connection.close()


# Schemas -------------------------------------------------------------------------------------------------------------


def _bring_up_to_date(engine: Engine) -> None:
    with engine.connect() as connection:
        schema = _schema(connection)
    if is_file(engine.url):
        _use_write_ahead_log(engine)
    if schema == SCHEMAS[-1]:
        return
    with _writing(engine) as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        # Another program may have migrated while this one waited for the lock.
        if _schema(connection) != SCHEMAS[-1]:
            migrate(connection)


def _schema(connection: Connection) -> str | None:
    """Return the schema of a database, None for one without tables; raises RecordsError for what is not ours to use."""
    name = shown(connection.engine.url)
    tables = set(inspect(connection).get_table_names())
    if VERSION_TABLE in tables:
        found = list(connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalars())
        if len(found) != 1:
            raise _damaged(name, _("the number of its schema is missing"))
        if found[0] not in SCHEMAS:
            raise NewerError(
                _(
                    "The records in {name} were made by a newer version of Pyramide (schema {found}, this one knows "
                    "{known}). They are left as they are; update Pyramide to go on recording."
                ).format(name=name, found=shorten(str(found[0])), known=SCHEMAS[-1])
            )
        return str(found[0])
    if any(table.startswith("pyramide_") for table in tables):
        raise _damaged(name, _("the number of its schema is missing"))
    # A server's database may serve several programs, a file is one program's own.
    if tables and is_file(connection.engine.url):
        raise DamagedError(_("The file {name} is another program's database. It is left as it is.").format(name=name))
    return None


def migrate(connection: Connection, schema: str = "head") -> None:
    """Bring the tables to a schema, the present one by default, inside the transaction that is open."""
    # Imported here: it takes longer than opening a database, and is needed once in its life.
    from alembic import command
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    command.upgrade(config, schema)


# Failures ------------------------------------------------------------------------------------------------------------


def _damaged(name: str, reason: str) -> DamagedError:
    return DamagedError(
        _("The records in {name} are damaged ({reason}). The file is left as it is.").format(
            name=name, reason=shorten(reason, 120)
        )
    )


_SQLITE_DAMAGE = ("malformed", "not a database", "disk image", "file is encrypted")


def _reason(error: BaseException) -> str:
    """Return the first line of what a driver says."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    return next(iter(str(cause).splitlines()), type(cause).__name__)


@contextmanager
def told(name: str) -> Iterator[None]:
    """Turn what a database raises into a RecordsError with one sentence."""
    try:
        yield
    except (NoSuchModuleError, ModuleNotFoundError) as error:
        raise RecordsError(
            _("The records in {name} need a database driver that is not installed: {reason}.").format(
                name=name, reason=_reason(error)
            )
        ) from error
    except (SQLAlchemyError, sqlite3.Error) as error:
        reason = _reason(error)
        if any(word in reason for word in _SQLITE_DAMAGE):
            raise _damaged(name, reason) from error
        raise RecordsError(
            _("The records in {name} cannot be used: {reason}.").format(name=name, reason=shorten(reason, 160))
        ) from error
    except UnicodeDecodeError as error:
        raise _damaged(name, _("a text in it is none")) from error
    except OSError as error:
        raise RecordsError(
            _("The records in {name} cannot be used: {reason}.").format(name=name, reason=error.strerror or str(error))
        ) from error
