"""Alembic's environment: it runs on the connection that `bot.store.schema` hands it."""

from alembic import context

from bot.store.tables.catalog import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, transactional_ddl=False)
context.run_migrations()
