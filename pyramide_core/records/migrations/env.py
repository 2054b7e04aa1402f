"""What Alembic runs to migrate: the connection comes from `pyramide_core.records.database`, with its lock held."""

from alembic import context

from pyramide_core.records.models import Base

VERSION_TABLE = "pyramide_version"


def migrate() -> None:
    """Migrate on the connection that the caller has opened."""
    context.configure(
        connection=context.config.attributes["connection"],
        target_metadata=Base.metadata,
        version_table=VERSION_TABLE,
    )
    context.run_migrations()


# Alembic runs this file under a name of its own; imported as a module of the package it does nothing.
if __name__ == "env_py":
    migrate()
