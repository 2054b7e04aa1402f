"""The tables of the database, as SQLAlchemy models. A change here needs a migration: see `migrations/versions`.

Times of day are seconds since 1970 UTC as floating-point numbers, which every database keeps alike.
"""

from sqlalchemy import BigInteger, Double, ForeignKey, Integer, String, Text, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

# SQLite counts primary keys up by itself only where they are plain INTEGERs.
Id = BigInteger().with_variant(Integer, "sqlite")


class Base(DeclarativeBase):
    """The base of all tables; their names start alike, as a database may serve other programs too."""


class Player(Base):
    """A name that somebody plays under in one browser; the hash of that browser's token keeps it apart."""

    __tablename__ = "pyramide_players"
    __table_args__ = (UniqueConstraint("token_hash", "name", name="pyramide_players_token_name"),)

    id: Mapped[int] = mapped_column(Id, primary_key=True)
    token_hash: Mapped[str] = mapped_column(String(64))
    name: Mapped[str] = mapped_column(String(60))
    created_at: Mapped[float] = mapped_column(Double)
    seen_at: Mapped[float] = mapped_column(Double)


class Game(Base):
    """A game: its facts. `current` is the game to come back to, one for each player and slot."""

    __tablename__ = "pyramide_games"

    id: Mapped[int] = mapped_column(Id, primary_key=True)
    key: Mapped[str] = mapped_column(String(32), unique=True)
    player_id: Mapped[int] = mapped_column(ForeignKey(Player.id, ondelete="CASCADE"), index=True)
    slot: Mapped[str] = mapped_column(String(40))
    rules: Mapped[str] = mapped_column(Text)
    code: Mapped[str] = mapped_column(String(64))
    result: Mapped[str] = mapped_column(String(16))
    is_current: Mapped[bool]
    entries: Mapped[int]
    score: Mapped[int]
    moves: Mapped[int]
    undos: Mapped[int]
    hints: Mapped[int]
    cards_left: Mapped[int]
    seconds: Mapped[float] = mapped_column(Double)
    is_paused: Mapped[bool]
    started_at: Mapped[float] = mapped_column(Double)
    updated_at: Mapped[float] = mapped_column(Double)


class Entry(Base):
    """An entry of a game's log, counted from 1: a move, or U for an undo. Entries are added and never changed."""

    __tablename__ = "pyramide_entries"

    game_id: Mapped[int] = mapped_column(ForeignKey(Game.id, ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    text: Mapped[str] = mapped_column(String(16))


class Class(Base):
    """A class session: what everybody plays. Its teacher is whoever has the token of `owner_hash`."""

    __tablename__ = "pyramide_classes"

    id: Mapped[int] = mapped_column(Id, primary_key=True)
    code: Mapped[str] = mapped_column(String(16), unique=True)
    owner_hash: Mapped[str] = mapped_column(String(64), index=True)
    title: Mapped[str] = mapped_column(String(120))
    rules: Mapped[str] = mapped_column(Text)
    deals: Mapped[str] = mapped_column(Text)
    time_limit: Mapped[int | None]
    hints_allowed: Mapped[bool]
    is_anonymous: Mapped[bool]
    opened_at: Mapped[float] = mapped_column(Double)
    closed_at: Mapped[float | None] = mapped_column(Double)


class Member(Base):
    """A learner in a class, under a name that no one else has in it."""

    __tablename__ = "pyramide_members"
    __table_args__ = (
        UniqueConstraint("class_id", "name_key", name="pyramide_members_class_name"),
        UniqueConstraint("class_id", "player_id", name="pyramide_members_class_player"),
    )

    id: Mapped[int] = mapped_column(Id, primary_key=True)
    class_id: Mapped[int] = mapped_column(ForeignKey(Class.id, ondelete="CASCADE"))
    player_id: Mapped[int] = mapped_column(ForeignKey(Player.id, ondelete="CASCADE"), index=True)
    name: Mapped[str] = mapped_column(String(60))
    name_key: Mapped[str] = mapped_column(String(120))
    joined_at: Mapped[float] = mapped_column(Double)


class ClassGame(Base):
    """That a game is a member's try at a deal of the class, counted from 1."""

    __tablename__ = "pyramide_class_games"

    game_id: Mapped[int] = mapped_column(ForeignKey(Game.id, ondelete="CASCADE"), primary_key=True)
    member_id: Mapped[int] = mapped_column(ForeignKey(Member.id, ondelete="CASCADE"), index=True)
    deal: Mapped[int]
