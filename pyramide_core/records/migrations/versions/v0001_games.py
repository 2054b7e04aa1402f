"""The first schema: players, their games, and the entries of each game.

Revision ID: 0001
Create Date: 2026-11-30
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "pyramide_players",
        sa.Column("id", ID, primary_key=True),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("seen_at", sa.Double(), nullable=False),
        sa.UniqueConstraint("token_hash", "name", name="pyramide_players_token_name"),
    )
    op.create_table(
        "pyramide_games",
        sa.Column("id", ID, primary_key=True),
        sa.Column("key", sa.String(32), nullable=False, unique=True),
        sa.Column(
            "player_id", ID, sa.ForeignKey("pyramide_players.id", ondelete="CASCADE"), nullable=False, index=True
        ),
        sa.Column("slot", sa.String(40), nullable=False),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("code", sa.String(64), nullable=False),
        sa.Column("result", sa.String(16), nullable=False),
        sa.Column("is_current", sa.Boolean(), nullable=False),
        sa.Column("entries", sa.Integer(), nullable=False),
        sa.Column("score", sa.Integer(), nullable=False),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("undos", sa.Integer(), nullable=False),
        sa.Column("hints", sa.Integer(), nullable=False),
        sa.Column("cards_left", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Double(), nullable=False),
        sa.Column("is_paused", sa.Boolean(), nullable=False),
        sa.Column("started_at", sa.Double(), nullable=False),
        sa.Column("updated_at", sa.Double(), nullable=False),
    )
    op.create_table(
        "pyramide_entries",
        sa.Column(
            "game_id", ID, sa.ForeignKey("pyramide_games.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
        ),
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("text", sa.String(16), nullable=False),
    )
