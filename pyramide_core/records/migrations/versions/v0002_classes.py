"""The second schema: classes, their learners, and which games belong to them.

Revision ID: 0002
Revises: 0001
Create Date: 2026-11-30
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the tables; those of the first schema stay as they are."""
    op.create_table(
        "pyramide_classes",
        sa.Column("id", ID, primary_key=True),
        sa.Column("code", sa.String(16), nullable=False, unique=True),
        sa.Column("owner_hash", sa.String(64), nullable=False, index=True),
        sa.Column("title", sa.String(120), nullable=False),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("deals", sa.Text(), nullable=False),
        sa.Column("time_limit", sa.Integer()),
        sa.Column("hints_allowed", sa.Boolean(), nullable=False),
        sa.Column("is_anonymous", sa.Boolean(), nullable=False),
        sa.Column("opened_at", sa.Double(), nullable=False),
        sa.Column("closed_at", sa.Double()),
    )
    op.create_table(
        "pyramide_members",
        sa.Column("id", ID, primary_key=True),
        sa.Column("class_id", ID, sa.ForeignKey("pyramide_classes.id", ondelete="CASCADE"), nullable=False),
        sa.Column(
            "player_id", ID, sa.ForeignKey("pyramide_players.id", ondelete="CASCADE"), nullable=False, index=True
        ),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("name_key", sa.String(120), nullable=False),
        sa.Column("joined_at", sa.Double(), nullable=False),
        sa.UniqueConstraint("class_id", "name_key", name="pyramide_members_class_name"),
        sa.UniqueConstraint("class_id", "player_id", name="pyramide_members_class_player"),
    )
    op.create_table(
        "pyramide_class_games",
        sa.Column(
            "game_id", ID, sa.ForeignKey("pyramide_games.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
        ),
        sa.Column(
            "member_id", ID, sa.ForeignKey("pyramide_members.id", ondelete="CASCADE"), nullable=False, index=True
        ),
        sa.Column("deal", sa.Integer(), nullable=False),
    )
