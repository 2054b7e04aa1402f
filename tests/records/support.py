"""What the tests of records share: a database of their own, games that are played by chance, and a real PostgreSQL."""

import os
import random
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pyramide_core import VARIANTS, Deal, Game, Outcome
from pyramide_core.records.saved import GameFacts, SavedGame, facts_of, make_key

TOKEN = "0123456789abcdef" * 3
OTHER = "fedcba9876543210" * 3


def play_by_chance(game: Game, actions: int, seed: int) -> Game:
    """Play so many actions of a game by chance, some of them undone, but never to a win."""
    chance = random.Random(seed)
    while len(game.log) < actions:
        if game.can_undo and chance.random() < 0.2:
            game.undo()
            continue
        moves = [move for move in game.position.legal_moves() if game.position.apply(move).outcome() is None]
        if moves:
            game.play(chance.choice(moves))
        elif not game.undo().is_action:
            break
    return game


def a_game(seed: int = 18, actions: int = 20, rules: str = "pyramide") -> Game:
    """Return a game of a deal, played by chance."""
    return play_by_chance(Game(Deal.from_seed(seed), VARIANTS[rules], now=lambda: 0.0), actions, seed)


def saved(game: Game, player: str = "Ada", slot: str = "", at: float = 1_000.0, hints: int = 0) -> SavedGame:
    """Return a game as it is saved."""
    blank = GameFacts(key=make_key(), rules="", code="", player=player, slot=slot, started_at=at)
    return SavedGame(facts_of(game, blank, hints=hints, at=at), tuple(map(str, game.log)))


def won_game(seed: int = 18) -> Game:
    """Return a won game of a deal: moves by chance, with the stock gone through as often as it takes."""
    for attempt in range(1000):
        chance = random.Random(attempt)
        game = Game(Deal.from_seed(seed), VARIANTS["pyramide"], now=lambda: 0.0)
        for _action in range(400):
            moves = list(game.position.legal_moves())
            removals = [move for move in moves if str(move) not in "DR"]
            game.play(chance.choice(removals or moves))
            if game.outcome is Outcome.WON:
                return game
    raise RuntimeError("no win was found")


# PostgreSQL ----------------------------------------------------------------------------------------------------------


def postgresql_programs() -> Path | None:
    """Return the folder of PostgreSQL's server programs, the newest version's, or None."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if found:
        return found[-1].parent
    program = shutil.which("initdb")
    return Path(program).parent if program else None


@contextmanager
def postgresql(programs: Path) -> Iterator[str]:
    """Run a PostgreSQL that listens on a socket in a folder of its own alone, and yield the address of its database."""
    # Not pytest's folder: the server's user may not enter that, and the name of a socket must be short.
    folder = Path(tempfile.mkdtemp(prefix="pyramide-pg-"))
    data = folder / "data"
    user: dict[str, Any] = {}
    if os.geteuid() == 0:
        # A server refuses to run as root; its package has made a user for it.
        shutil.chown(folder, "postgres")
        user = {"user": "postgres", "group": "postgres", "extra_groups": [], "cwd": "/"}
    options = ["--auth=trust", "--username=pyramide", "--no-sync", "--encoding=UTF8", "--locale=C"]
    subprocess.run([programs / "initdb", f"--pgdata={data}", *options], check=True, stdout=subprocess.DEVNULL, **user)
    settings = ("-c", "listen_addresses=", "-c", f"unix_socket_directories={folder}", "-c", "fsync=off")
    with (folder / "log").open("w") as log:
        server = subprocess.Popen([programs / "postgres", "-D", data, *settings], stderr=log, **user)
    try:
        end = time.monotonic() + 60
        while time.monotonic() < end and server.poll() is None:
            ready = subprocess.run(
                [programs / "pg_isready", "-h", folder, "-q", "-d", "postgres", "-U", "pyramide"], check=False
            )
            if ready.returncode == 0:
                break
            time.sleep(0.1)
        else:
            raise RuntimeError("PostgreSQL did not start")
        yield f"postgresql://pyramide@/postgres?host={folder}"
    finally:
        server.terminate()
        server.wait(30)
        shutil.rmtree(folder, ignore_errors=True)
