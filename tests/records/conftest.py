"""The databases of the tests of records: an SQLite file, and a real PostgreSQL."""

import os
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from pyramide_core.records.store import Account, Records
from tests.records.support import OTHER, TOKEN, postgresql, postgresql_programs


@pytest.fixture(scope="session")
def postgresql_address() -> Iterator[str]:
    """The address of a running PostgreSQL. Without its programs the test is skipped, but in CI it fails."""
    programs = postgresql_programs()
    if programs is None:
        reason = "no PostgreSQL server is installed here; Debian's package is called postgresql"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)
    with postgresql(programs) as address:
        yield address


@pytest.fixture
def empty_postgresql(postgresql_address: str) -> str:
    """The address of a PostgreSQL database without tables."""
    with psycopg.connect(postgresql_address, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    return postgresql_address


@pytest.fixture(params=["sqlite", "postgresql"])
def setting(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where an empty database is, as PYRAMIDE_DATABASE says it."""
    if request.param == "sqlite":
        return str(tmp_path / "folder" / "records.sqlite3")
    address: str = request.getfixturevalue("empty_postgresql")
    return address


@pytest.fixture
def records(setting: str) -> Iterator[Records]:
    """An open database, whose clock stands 5000 seconds after the beginning of 1970."""
    opened = Records.open(setting, wall=lambda: 5_000.0)
    yield opened
    opened.close()


@pytest.fixture
def mine(records: Records) -> Account:
    """What one browser sees."""
    return records.account(TOKEN)


@pytest.fixture
def others(records: Records) -> Account:
    """What another browser sees."""
    return records.account(OTHER)
