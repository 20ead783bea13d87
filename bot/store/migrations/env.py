"""Alembic's environment: it runs on the connection that `bot.store.migrate` hands it."""

from alembic import context

from bot.store.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, transactional_ddl=False)
context.run_migrations()
