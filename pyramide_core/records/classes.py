"""Class sessions in the database: a teacher opens one, learners join by name, and everybody plays the same deals.

The teacher is whoever has the token that opened the class; learners see the class's task and their own games.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, Select, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from pyramide_core.deals import Deal
from pyramide_core.messages import _, shorten
from pyramide_core.records.errors import NameTakenError, NotYoursError, OverError, RecordsError
from pyramide_core.records.models import Class, ClassGame, Game, Member, Player
from pyramide_core.records.results import Learner, Task, Try
from pyramide_core.records.saved import SavedGame
from pyramide_core.records.store import FACTS, Records, player_id, read_facts, with_logs
from pyramide_core.records.tokens import hash_token, make_class_code, name_key, read_class_code, read_name
from pyramide_core.rules import Rules

GRACE_SECONDS = 3.0
"""How long after the end of the time a save still counts: the move was made before, and travelled."""
MOST_DEALS = 100
SLOT = "class-"
"""What the slot of a class's games begins with; its code follows."""


class Teacher:
    """The classes of one token."""

    def __init__(self, records: Records, token: str) -> None:
        self.records = records
        self.token_hash = hash_token(token)

    def open_class(
        self,
        deals: Sequence[Deal],
        rules: Rules,
        *,
        title: str = "",
        time_limit: int | None = None,
        hints_allowed: bool = True,
        is_anonymous: bool = False,
    ) -> Task:
        """Open a class and return its task, with the code that learners type. The time limit is in seconds.

        Raises RecordsError for no deal or too many, for a deal without a code, and for a time that is none.
        """
        if not 1 <= len(deals) <= MOST_DEALS:
            raise RecordsError(_("A class has from 1 to {most} deals.").format(most=MOST_DEALS))
        if not all(deal.code for deal in deals):
            raise RecordsError(_("Only deals of 52 cards can be given to a class."))
        twice = next((deal.code for number, deal in enumerate(deals) if deal in deals[:number]), None)
        if twice is not None:
            raise RecordsError(_("The deal {code} is there twice.").format(code=shorten(twice, 20)))
        if time_limit is not None and time_limit <= 0:
            raise RecordsError(_("The time for a class must be longer than nothing."))
        values = {
            "owner_hash": self.token_hash,
            "title": read_name(title, needed=False),
            "rules": rules.text,
            "deals": " ".join(deal.code for deal in deals),
            "time_limit": time_limit,
            "hints_allowed": hints_allowed,
            "is_anonymous": is_anonymous,
            "opened_at": self.records.wall(),
        }
        for _try in range(20):
            code = make_class_code()
            try:
                with self.records.database.write() as connection, connection.begin_nested():
                    connection.execute(insert(Class).values(code=code, **values))
                return self.task(code)
            except RecordsError as error:
                if not isinstance(error.__cause__, IntegrityError):
                    raise
        raise RecordsError(_("No code is free for a class."))

    def classes(self) -> list[Task]:
        """Return the tasks of this teacher, the newest first."""
        query = select(*Class.__table__.columns).where(Class.owner_hash == self.token_hash)
        with self.records.database.read() as connection:
            return [_task(row) for row in connection.execute(query.order_by(Class.opened_at.desc(), Class.id.desc()))]

    def task(self, code: str) -> Task:
        """Return the task of a class of this teacher; raises NotYoursError for any other class."""
        with self.records.database.read() as connection:
            return _task(self._own(connection, code))

    def _own(self, connection: Connection, code: str) -> Row[Any]:
        row = connection.execute(_class(code).where(Class.owner_hash == self.token_hash)).one_or_none()
        if row is None:
            raise NotYoursError(_("You have opened no class “{code}”.").format(code=code))
        return row

    def _change(self, code: str, **values: object) -> Task:
        with self.records.database.write() as connection:
            identity = self._own(connection, code).id
            connection.execute(update(Class).where(Class.id == identity).values(**values))
            return _task(self._own(connection, code))

    def set_anonymous(self, code: str, is_anonymous: bool) -> Task:
        """Hide or show the names on the live board, and return the task."""
        return self._change(code, is_anonymous=is_anonymous)

    def close_class(self, code: str) -> Task:
        """End a class: nothing is recorded for it from now on."""
        return self._change(code, closed_at=self.records.wall())

    def reopen_class(self, code: str) -> Task:
        """Let a closed class go on."""
        return self._change(code, closed_at=None)

    def delete_class(self, code: str) -> None:
        """Delete a class and who is in it; the games stay with the learners who played them."""
        with self.records.database.write() as connection:
            identity = self._own(connection, code).id
            members = select(Member.id).where(Member.class_id == identity)
            # Row by row order of the tables, so that it does not hang on a database's cascades.
            connection.execute(delete(ClassGame).where(ClassGame.member_id.in_(members)))
            connection.execute(delete(Member).where(Member.class_id == identity))
            connection.execute(delete(Class).where(Class.id == identity))

    def learners(self, code: str) -> list[Learner]:
        """Return everybody in a class with what they have done, in the order of joining."""
        with self.records.database.read() as connection:
            row = self._own(connection, code)
            members = connection.execute(
                select(Member)
                .with_only_columns(*Member.__table__.columns)
                .where(Member.class_id == row.id)
                .order_by(Member.id)
            ).all()
            tries: dict[int, list[Try]] = {member.id: [] for member in members}
            for game in connection.execute(_class_games(row.id)):
                tries[game.member_id].append(Try(game.deal, read_facts(game)))
            return [
                Learner(number, member.name, member.joined_at, tuple(tries[member.id]))
                for number, member in enumerate(members, 1)
            ]

    def games(self, code: str) -> list[tuple[str, int, SavedGame]]:
        """Return all games of a class with their logs: the learner's name, the number of the deal, the game."""
        with self.records.database.read() as connection:
            rows = connection.execute(_class_games(self._own(connection, code).id)).all()
            saved = with_logs(connection, [read_facts(row) for row in rows])
            return [(row.member_name, row.deal, game) for row, game in zip(rows, saved, strict=True)]


class Pupil:
    """What one browser can do in a class that it has the code of."""

    def __init__(self, records: Records, token: str, code: str) -> None:
        self.records = records
        self.token_hash = hash_token(token)
        self.code = read_class_code(code)
        with records.database.read() as connection:
            self.task = _task(self._class(connection))
        self.slot = SLOT + self.code

    def _class(self, connection: Connection) -> Row[Any]:
        row = connection.execute(_class(self.code)).one_or_none()
        if row is None:
            raise NotYoursError(_("There is no class “{code}”.").format(code=self.code))
        return row

    def _member(self, connection: Connection, token_hash: str) -> Row[Any] | None:
        query: Select[Any] = (
            select(*Member.__table__.columns, Player.name.label("player"), Player.seen_at)
            .join(Player)
            .join(Class, Class.id == Member.class_id)
            .where(Class.code == self.code, Player.token_hash == token_hash)
        )
        return connection.execute(query.order_by(Player.seen_at.desc())).first()

    def name(self) -> str:
        """Return the name under which this browser is in the class, "" when it has not joined yet."""
        with self.records.database.read() as connection:
            member = self._member(connection, self.token_hash)
            return member.name if member is not None else ""

    def join(self, name: str) -> str:
        """Join the class under a name and return it; who has joined already is let in again.

        Raises NameTakenError when somebody else in the class has it, OverError when the class is closed.
        """
        name = read_name(name)
        now = self.records.wall()
        with self.records.database.write() as connection:
            row = self._class(connection)
            owner = player_id(connection, self.token_hash, name, now)
            query = select(Member.player_id).where(Member.class_id == row.id, Member.name_key == name_key(name))
            holder = connection.execute(query).scalar_one_or_none()
            if holder == owner:
                return name
            if row.closed_at is not None:
                raise OverError(_("This class is closed."))
            taken = NameTakenError(
                _("Somebody in this class is called “{name}” already; please add a letter.").format(name=name)
            )
            if holder is not None:
                raise taken
            values = {"class_id": row.id, "player_id": owner, "name": name, "name_key": name_key(name)}
            try:
                with connection.begin_nested():
                    connection.execute(insert(Member).values(joined_at=now, **values))
            except IntegrityError:
                raise taken from None
        return name

    def tries(self) -> list[Try]:
        """Return what this learner has played in the class so far."""
        with self.records.database.read() as connection:
            member = self._member(connection, self.token_hash)
            if member is None:
                return []
            rows = connection.execute(_class_games(member.class_id).where(ClassGame.member_id == member.id))
            return [Try(row.deal, read_facts(row)) for row in rows]

    def seconds_left(self) -> float | None:
        """Return how much time this learner has left, None without a limit."""
        with self.records.database.read() as connection:
            row, member = self._class(connection), self._member(connection, self.token_hash)
            if row.time_limit is None or member is None:
                return None
            return max(0.0, float(member.joined_at + row.time_limit - self.records.wall()))

    def seat(self, deal: int) -> "Seat":
        """Return the gate through which games of a deal, by its number from 1, are saved."""
        return Seat(self, deal)

    def check(self, connection: Connection, token_hash: str) -> None:
        """Raise OverError when the class is closed or its time is over, NotYoursError for who is not in it."""
        row, member = self._class(connection), self._member(connection, token_hash)
        if member is None:
            raise NotYoursError(_("You are not in the class “{code}”.").format(code=self.code))
        if row.closed_at is not None:
            raise OverError(_("The class is closed: what you play now is not recorded for it."))
        if row.time_limit is not None and self.records.wall() > member.joined_at + row.time_limit + GRACE_SECONDS:
            raise OverError(_("The time is over: what you play now is not recorded for the class."))

    def link(self, connection: Connection, token_hash: str, game: int, deal: int) -> None:
        """Note that a new game is this learner's try at a deal."""
        member = self._member(connection, token_hash)
        if member is not None:
            connection.execute(insert(ClassGame).values(game_id=game, member_id=member.id, deal=deal))


@dataclass(frozen=True)
class Seat:
    """The gate of `Account.save` for a learner's games of one deal."""

    pupil: Pupil
    deal: int

    def check(self, connection: Connection, token_hash: str) -> None:
        """Raise RecordsError when nothing may be saved for the class now."""
        self.pupil.check(connection, token_hash)

    def link(self, connection: Connection, token_hash: str, game: int) -> None:
        """Note to which learner and deal the new game belongs."""
        self.pupil.link(connection, token_hash, game, self.deal)


def _class(code: str) -> Select[Any]:
    return select(*Class.__table__.columns).where(Class.code == code)


def _class_games(identity: int) -> Select[Any]:
    return (
        FACTS.add_columns(ClassGame.member_id, ClassGame.deal, Member.name.label("member_name"))
        .join(ClassGame, ClassGame.game_id == Game.id)
        .join(Member, Member.id == ClassGame.member_id)
        .where(Member.class_id == identity)
        .order_by(Member.id, ClassGame.deal, Game.started_at, Game.id)
    )


def _task(row: Row[Any]) -> Task:
    return Task(
        code=row.code,
        title=row.title,
        rules=row.rules,
        deals=tuple(row.deals.split()),
        time_limit=row.time_limit,
        hints_allowed=row.hints_allowed,
        is_anonymous=row.is_anonymous,
        opened_at=row.opened_at,
        closed_at=row.closed_at,
    )
