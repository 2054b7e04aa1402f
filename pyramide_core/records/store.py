"""The store: saved games of players in the database. Knows the tables and no rule.

Everything a player can do goes through an `Account`, which is made from the secret token of a browser: what belongs to
another token is not there. The games of all players are read only by whoever may read the database itself.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Protocol, cast

from sqlalchemy import Connection, CursorResult, Row, Select, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from pyramide_core.messages import _
from pyramide_core.records.database import Database, database_url
from pyramide_core.records.errors import ConflictError, DamagedError, NotYoursError, OffError, RecordsError
from pyramide_core.records.models import ClassGame, Entry, Game, Member, Player
from pyramide_core.records.saved import GameFacts, SavedGame, make_key
from pyramide_core.records.tokens import hash_token, read_name

FACTS: Select[Any] = select(*Game.__table__.columns, Player.name.label("player")).join(
    Player, Player.id == Game.player_id
)
_OWN_FIELDS = (
    "key slot rules code result is_current entries score moves undos hints cards_left seconds is_paused "
    "started_at updated_at"
).split()


class Gate(Protocol):
    """What stands between a game and the records where not everything may be saved: a class."""

    def check(self, connection: Connection, token_hash: str) -> None:
        """Raise RecordsError when nothing may be saved now."""

    def link(self, connection: Connection, token_hash: str, game: int) -> None:
        """Note to what the new game belongs."""


class Records:
    """An open database of records."""

    def __init__(self, database: Database, wall: Callable[[], float] = time.time) -> None:
        self.database = database
        self.wall = wall

    @classmethod
    def open(cls, setting: str | None = None, wall: Callable[[], float] = time.time) -> "Records":
        """Open the database of a setting or of the environment; raises RecordsError with the reason why not."""
        url = database_url(setting)
        if url is None:
            raise OffError(_("Records are switched off here."))
        return cls(Database.open(url), wall)

    def close(self) -> None:
        """Give the connections back."""
        self.database.close()

    def account(self, token: str) -> "Account":
        """Return the records as the browser with this token sees them; raises RecordsError for what is no token."""
        return Account(self, hash_token(token))

    # For whoever owns the database ------------------------------------------------------------------------------

    def all_games(self, player: str | None = None, rules: str | None = None) -> list[GameFacts]:
        """Return the games of all players, or of all those with a name: for the owner of the database alone."""
        with self.database.read() as connection:
            return list(map(read_facts, connection.execute(_chosen(FACTS, player, rules))))

    def all_saved(self, player: str | None = None, rules: str | None = None) -> list[SavedGame]:
        """Return the games of `all_games` with their logs."""
        with self.database.read() as connection:
            return with_logs(connection, list(map(read_facts, connection.execute(_chosen(FACTS, player, rules)))))

    def browsers(self, player: str | None = None) -> list[str]:
        """Return the hashes of the tokens under which somebody has played, of those with a player of this name."""
        query = select(Player.token_hash).distinct().order_by(Player.token_hash)
        if player is not None:
            query = query.where(Player.name == player)
        with self.database.read() as connection:
            return list(connection.execute(query).scalars())


class Account:
    """What one browser may see and do: the players under its token, and their games."""

    def __init__(self, records: Records, token_hash: str) -> None:
        self.records = records
        self.token_hash = token_hash

    # Players ---------------------------------------------------------------------------------------------------

    def players(self) -> list[str]:
        """Return the names under this token, the one that played last first; "" is a player without a name."""
        query = (
            select(Player.name).where(Player.token_hash == self.token_hash).order_by(Player.seen_at.desc(), Player.id)
        )
        with self.records.database.read() as connection:
            return list(connection.execute(query).scalars())

    def choose(self, name: str) -> str:
        """Make a name the one that plays, new or known, and return it; raises RecordsError for what is no name."""
        name = read_name(name, needed=False)
        self._player_id(name)
        return name

    def rename(self, old: str, new: str) -> str:
        """Give a player another name and return it; raises RecordsError when it is another player's here."""
        new = read_name(new)
        with self.records.database.write() as connection:
            taken = connection.execute(self._own_player(new)).scalar_one_or_none()
            if taken is not None and new != old:
                raise RecordsError(_("There is already a player “{name}” here.").format(name=new))
            changed = connection.execute(
                update(Player).where(Player.token_hash == self.token_hash, Player.name == old).values(name=new)
            )
            if not changed.rowcount:
                raise NotYoursError(_("There is no player “{name}” here.").format(name=old))
        return new

    def _own_player(self, name: str) -> Select[int]:
        return select(Player.id).where(Player.token_hash == self.token_hash, Player.name == name)

    def _player_id(self, name: str) -> int:
        """Return the player's number, and make the player if need be."""
        now = self.records.wall()
        with self.records.database.write() as connection:
            return player_id(connection, self.token_hash, name, now)

    # Saving ----------------------------------------------------------------------------------------------------

    def save(self, facts: GameFacts, new: Sequence[str], already: int, gate: Gate | None = None) -> None:
        """Save a game: the entries after those `already` saved, and its facts; all in one transaction, or nothing.

        A game that is not there yet is begun; as the current one of its slot it makes the one before it a left one, or
        drops it if nothing was played in it. Raises ConflictError when the saved game does not stand at `already`.
        """
        with self.records.database.write() as connection:
            if gate is not None:
                gate.check(connection, self.token_hash)
            mine = Game.key == facts.key, Player.token_hash == self.token_hash
            identity = connection.execute(select(Game.id).join(Player).where(*mine)).scalar_one_or_none()
            if identity is None:
                if already:
                    raise ConflictError(_("This game was changed in another window."))
                identity = self._begin(connection, facts)
                if gate is not None:
                    gate.link(connection, self.token_hash, identity)
            else:
                self._go_on(connection, facts, identity, already)
            add_entries(connection, identity, new, already)

    def _go_on(self, connection: Connection, facts: GameFacts, identity: int, already: int) -> None:
        """Bring a saved game's facts up to date; a left game that is played on is the current one again."""
        owner, is_current = connection.execute(select(Game.player_id, Game.is_current).where(Game.id == identity)).one()
        if facts.is_current and not is_current:
            leave_current(connection, owner, facts.slot)
        values = {name: getattr(facts, name) for name in _OWN_FIELDS if name not in ("key", "started_at")}
        # The number of entries is asked for in the same statement that changes it: of two programs one is refused.
        changed = connection.execute(update(Game).where(Game.id == identity, Game.entries == already).values(**values))
        if not changed.rowcount:
            raise ConflictError(_("This game was changed in another window."))

    def _begin(self, connection: Connection, facts: GameFacts) -> int:
        owner = player_id(connection, self.token_hash, facts.player, self.records.wall())
        if facts.is_current:
            leave_current(connection, owner, facts.slot)
        return insert_game(connection, facts, owner)

    # Reading ---------------------------------------------------------------------------------------------------

    def _own(self) -> Select[Any]:
        return FACTS.where(Player.token_hash == self.token_hash)

    def game(self, key: str) -> SavedGame:
        """Return a game of this token; raises NotYoursError when there is none with this key."""
        with self.records.database.read() as connection:
            row = connection.execute(self._own().where(Game.key == key)).one_or_none()
            if row is None:
                raise NotYoursError(_("There is no such game."))
            return with_logs(connection, [read_facts(row)])[0]

    def current_game(self, player: str | None = None, slot: str = "") -> SavedGame | None:
        """Return the game to come back to, of a player or of whoever played last here; a won game is none."""
        query = self._own().where(Game.slot == slot, Game.is_current, Game.result != "won")
        if player is not None:
            query = query.where(Player.name == player)
        with self.records.database.read() as connection:
            row = connection.execute(query.order_by(Player.seen_at.desc(), Game.updated_at.desc())).first()
            return with_logs(connection, [read_facts(row)])[0] if row is not None else None

    def unfinished_game(self, code: str, rules: str, slot: str = "") -> SavedGame | None:
        """Return the latest game of a deal and rule set that can go on: an unfinished one, or the current one."""
        query = self._own().where(Game.slot == slot, Game.code == code, Game.rules == rules, Game.result != "won")
        query = query.where((Game.result == "") | Game.is_current)
        with self.records.database.read() as connection:
            row = connection.execute(query.order_by(Game.updated_at.desc(), Game.id.desc())).first()
            return with_logs(connection, [read_facts(row)])[0] if row is not None else None

    def games(self, player: str | None = None, rules: str | None = None) -> list[GameFacts]:
        """Return the facts of the games of this token, of one player and rule set if asked, the oldest first."""
        with self.records.database.read() as connection:
            return list(map(read_facts, connection.execute(_chosen(self._own(), player, rules))))

    def saved_games(self, player: str | None = None, rules: str | None = None) -> list[SavedGame]:
        """Return the games of `games` with their logs."""
        with self.records.database.read() as connection:
            rows = connection.execute(_chosen(self._own(), player, rules))
            return with_logs(connection, list(map(read_facts, rows)))

    # Importing and deleting ------------------------------------------------------------------------------------

    def add_games(self, games: Iterable[SavedGame]) -> tuple[int, int]:
        """Add games from elsewhere and return how many were new and how many were here already.

        All of them are added, or none. A game is here already when one of the same player has the same deal, rules,
        log and start.
        """
        added = known = 0
        mine: dict[str, set[tuple[object, ...]]] = {}
        with self.records.database.write() as connection:
            for saved in games:
                facts = saved.facts
                owner = player_id(connection, self.token_hash, facts.player, self.records.wall())
                if facts.player not in mine:
                    mine[facts.player] = self._fingerprints(connection, owner)
                print_ = _fingerprint(facts, saved.log)
                if print_ in mine[facts.player]:
                    known += 1
                    continue
                mine[facts.player].add(print_)
                new = replace(facts, key=make_key(), is_current=False, is_paused=False)
                add_entries(connection, insert_game(connection, new, owner), saved.log, 0)
                added += 1
        return added, known

    def _fingerprints(self, connection: Connection, owner: int) -> set[tuple[object, ...]]:
        rows = connection.execute(FACTS.where(Game.player_id == owner))
        return {_fingerprint(saved.facts, saved.log) for saved in with_logs(connection, list(map(read_facts, rows)))}

    def delete(self, player: str | None = None) -> int:
        """Delete a player, or all players of this token, with their games and places in classes; return how many."""
        with self.records.database.write() as connection:
            ours = select(Player.id).where(Player.token_hash == self.token_hash)
            if player is not None:
                ours = ours.where(Player.name == player)
            numbers = list(connection.execute(ours).scalars())
            games = select(Game.id).where(Game.player_id.in_(numbers))
            # Row by row order of the tables, so that it does not hang on a database's cascades.
            connection.execute(delete(ClassGame).where(ClassGame.game_id.in_(games)))
            connection.execute(delete(Entry).where(Entry.game_id.in_(games)))
            connection.execute(delete(Game).where(Game.player_id.in_(numbers)))
            connection.execute(delete(Member).where(Member.player_id.in_(numbers)))
            connection.execute(delete(Player).where(Player.id.in_(numbers)))
        return len(numbers)


def _fingerprint(facts: GameFacts, log: Sequence[str]) -> tuple[object, ...]:
    return (facts.code, facts.rules, int(facts.started_at), tuple(log))


def _chosen(query: Select[Any], player: str | None, rules: str | None) -> Select[Any]:
    """Return a query for the games of one player and rule set where they are given, the oldest first."""
    if player is not None:
        query = query.where(Player.name == player)
    if rules is not None:
        query = query.where(Game.rules == rules)
    return query.order_by(Game.updated_at, Game.id)


# Rows ----------------------------------------------------------------------------------------------------------------


def player_id(connection: Connection, token_hash: str, name: str, now: float) -> int:
    """Return the number of a player, made if need be, and note that the player is here."""
    mine = (Player.token_hash == token_hash, Player.name == name)
    for _try in range(3):
        found = connection.execute(select(Player.id).where(*mine)).scalar_one_or_none()
        if found is not None:
            connection.execute(update(Player).where(Player.id == found).values(seen_at=now))
            return found
        try:
            with connection.begin_nested():
                connection.execute(insert(Player).values(token_hash=token_hash, name=name, created_at=now, seen_at=now))
        except IntegrityError:
            continue  # another program was faster: the next look finds the player
    raise RecordsError(_("The player cannot be saved."))


def insert_game(connection: Connection, facts: GameFacts, owner: int) -> int:
    """Add a game and return its number; raises ConflictError when its key is there, be it another player's."""
    values = {name: getattr(facts, name) for name in _OWN_FIELDS}
    try:
        with connection.begin_nested():
            made = cast("CursorResult[Any]", connection.execute(insert(Game).values(player_id=owner, **values)))
    except IntegrityError:
        raise ConflictError(_("This game was changed in another window.")) from None
    key = made.inserted_primary_key
    return int(key[0] if key else 0)


def add_entries(connection: Connection, game: int, new: Sequence[str], already: int) -> None:
    """Add entries to a game's log, numbered after those already there."""
    if new:
        rows = [{"game_id": game, "number": number, "text": entry} for number, entry in enumerate(new, already + 1)]
        try:
            connection.execute(insert(Entry), rows)
        except IntegrityError:
            raise ConflictError(_("This game was changed in another window.")) from None


def leave_current(connection: Connection, owner: int, slot: str) -> None:
    """Make the current game of a slot a left one; drop it when nothing was played in it."""
    current = (Game.player_id == owner, Game.slot == slot, Game.is_current)
    untouched = select(Game.id).where(*current, Game.entries == 0)
    connection.execute(delete(ClassGame).where(ClassGame.game_id.in_(untouched)))
    connection.execute(delete(Game).where(*current, Game.entries == 0))
    connection.execute(update(Game).where(*current).values(is_current=False))


def read_facts(row: Row[Any]) -> GameFacts:
    """Return the facts of a row of games; raises DamagedError for values that no program of ours has written."""
    values: dict[str, Any] = {name: getattr(row, name) for name in _OWN_FIELDS}
    whole = ("entries", "score", "moves", "undos", "hints", "cards_left")
    times = ("seconds", "started_at", "updated_at")
    fits = (
        all(type(values[name]) is int for name in whole)
        and all(isinstance(values[name], int | float) for name in times)
        and all(isinstance(values[name], str) for name in ("key", "slot", "rules", "code"))
        and values["result"] in ("", "won", "dead-end")
    )
    if not fits:
        raise DamagedError(_("The records hold a game that cannot be read."))
    return GameFacts(player=str(row.player), **values)


def with_logs(connection: Connection, games: Sequence[GameFacts]) -> list[SavedGame]:
    """Return games with their logs, in the order given; raises DamagedError when entries are missing."""
    logs: dict[str, list[str]] = {game.key: [] for game in games}
    keys = list(logs)
    for start in range(0, len(keys), 500):
        rows = connection.execute(
            select(Game.key, Entry.number, Entry.text)
            .join(Entry, Entry.game_id == Game.id)
            .where(Game.key.in_(keys[start : start + 500]))
            .order_by(Game.id, Entry.number)
        )
        for key, number, entry in rows:
            logs[key].append(entry)
            if number != len(logs[key]):
                raise DamagedError(_("The records hold a game that cannot be read."))
    if any(len(logs[game.key]) != game.entries for game in games):
        raise DamagedError(_("The records hold a game that cannot be read."))
    return [SavedGame(game, tuple(logs[game.key])) for game in games]
