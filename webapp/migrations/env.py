"""Alembic's way in: runs the migrations on the connection that `webapp.db` hands over.

The transaction, its lock and the pragmas are the caller's; the app and the `alembic` command
do not run migrations by themselves.
"""

from alembic import context
from sqlmodel import SQLModel

from webapp import models

METADATA = SQLModel.metadata
assert models.Game.metadata is METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
