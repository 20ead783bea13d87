"""The first schema, with the full-text index of memories and the guard of the audit log."""

import sqlalchemy as sa
from alembic import op

from bot.store.tables.columns import Json, Moment, Number, Words

revision = "0001"
down_revision = None

_SQLITE = (
    """CREATE VIRTUAL TABLE memories_index USING fts5(owner, text, tokenize = "unicode61 remove_diacritics 2")""",
    """CREATE TRIGGER memories_added AFTER INSERT ON memories BEGIN
      INSERT INTO memories_index(rowid, owner, text) VALUES (new.n, new.team || 'x' || new.user, new.text); END""",
    """CREATE TRIGGER memories_forgotten AFTER UPDATE OF forgotten_at ON memories WHEN new.forgotten_at IS NOT NULL BEGIN
      DELETE FROM memories_index WHERE rowid = old.n; END""",
    """CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN
      SELECT RAISE(ABORT, 'the audit log is never deleted from'); END""",
    """CREATE TRIGGER audit_insert_only BEFORE UPDATE ON audit
      WHEN old.seq IS NOT NULL OR new.seq IS NULL OR new.prev_hash IS NULL OR new.hash IS NULL
        OR new.seal_key_id IS NULL
        OR new.id IS NOT old.id OR new.team IS NOT old.team OR new.scope IS NOT old.scope
        OR new.number IS NOT old.number OR new.code IS NOT old.code OR new.at IS NOT old.at
        OR new.body IS NOT old.body OR new.mac IS NOT old.mac OR new.key_id IS NOT old.key_id
      BEGIN SELECT RAISE(ABORT, 'an entry never changes; only the sealer fills its place in the chain, once'); END""",
)

_POSTGRESQL = (
    """CREATE TABLE memories_index (n bigint PRIMARY KEY REFERENCES memories (n), words tsvector NOT NULL)""",
    """CREATE FUNCTION memories_forgotten() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      DELETE FROM memories_index WHERE n = old.n; RETURN NULL; END $$""",
    """CREATE TRIGGER memories_forgotten AFTER UPDATE OF forgotten_at ON memories FOR EACH ROW
      WHEN (new.forgotten_at IS NOT NULL) EXECUTE FUNCTION memories_forgotten()""",
    """CREATE FUNCTION audit_no_delete() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE EXCEPTION 'the audit log is never deleted from' USING ERRCODE = 'integrity_constraint_violation'; END $$""",
    """CREATE TRIGGER audit_no_delete BEFORE DELETE OR TRUNCATE ON audit
      FOR EACH STATEMENT EXECUTE FUNCTION audit_no_delete()""",
    """CREATE FUNCTION audit_insert_only() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE EXCEPTION 'an entry never changes; only the sealer fills its place in the chain, once'
        USING ERRCODE = 'integrity_constraint_violation'; END $$""",
    """CREATE TRIGGER audit_insert_only BEFORE UPDATE ON audit FOR EACH ROW
      WHEN (old.seq IS NOT NULL OR new.seq IS NULL OR new.prev_hash IS NULL OR new.hash IS NULL
        OR new.seal_key_id IS NULL
        OR (new.id, new.team, new.scope, new.number, new.code, new.at, new.body, new.mac, new.key_id)
          IS DISTINCT FROM (old.id, old.team, old.scope, old.number, old.code, old.at, old.body, old.mac, old.key_id))
      EXECUTE FUNCTION audit_insert_only()""",
)


def upgrade() -> None:
    """Make every table."""
    op.create_table('actions',
    sa.Column('id', Words, nullable=False),
    sa.Column('run_id', Words, nullable=False),
    sa.Column('step_id', Words, nullable=False),
    sa.Column('thread_id', Words, nullable=False),
    sa.Column('team', Words, nullable=False),
    sa.Column('user', Words, nullable=False),
    sa.Column('seq', Number, nullable=False),
    sa.Column('call_id', Words, nullable=False),
    sa.Column('call_id_given', sa.Boolean(), server_default=sa.false(), nullable=False),
    sa.Column('tool', Words, nullable=False),
    sa.Column('effect', Words, nullable=False),
    sa.Column('caption', Words, server_default='', nullable=False),
    sa.Column('args_proposed', Words, server_default='', nullable=False),
    sa.Column('args', Words, server_default='', nullable=False),
    sa.Column('args_hash', Words, server_default='', nullable=False),
    sa.Column('edition', Number, server_default='1', nullable=False),
    sa.Column('state', Words, nullable=False),
    sa.Column('verdict', Json(), nullable=True),
    sa.Column('evidence', Json(), nullable=True),
    sa.Column('approval', Json(), nullable=True),
    sa.Column('preview', Json(), nullable=True),
    sa.Column('basis', Json(), nullable=True),
    sa.Column('account', Words, nullable=True),
    sa.Column('attempt', Number, server_default='0', nullable=False),
    sa.Column('doubt', sa.Boolean(), server_default=sa.false(), nullable=False),
    sa.Column('deadline_at', Moment(), nullable=True),
    sa.Column('noted', Json(), nullable=True),
    sa.Column('response', Json(), nullable=True),
    sa.Column('summary', Words, server_default='', nullable=False),
    sa.Column('link', Words, nullable=True),
    sa.Column('undo', Words, nullable=True),
    sa.Column('label', Words, nullable=True),
    sa.Column('private', sa.Boolean(), server_default=sa.false(), nullable=False),
    sa.Column('created_at', Moment(), nullable=False),
    sa.Column('started_at', Moment(), nullable=True),
    sa.Column('ended_at', Moment(), nullable=True),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_actions')),
    sa.UniqueConstraint('step_id', 'seq', name=op.f('uq_actions_step_id_seq'))
    )
    op.create_index('ix_actions_run', 'actions', ['run_id'], unique=False)
    op.create_index('ix_actions_thread_state', 'actions', ['thread_id', 'state'], unique=False)
    op.create_table('audit',
    sa.Column('id', Number, autoincrement=True, nullable=False),
    sa.Column('team', Words, nullable=False),
    sa.Column('scope', Words, nullable=False),
    sa.Column('number', Number, nullable=False),
    sa.Column('code', Words, nullable=False),
    sa.Column('at', Moment(), nullable=False),
    sa.Column('body', Words, nullable=False),
    sa.Column('mac', Words, nullable=False),
    sa.Column('key_id', Words, nullable=False),
    sa.Column('seq', Number, nullable=True),
    sa.Column('prev_hash', Words, nullable=True),
    sa.Column('hash', Words, nullable=True),
    sa.Column('seal_key_id', Words, nullable=True),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_audit')),
    sa.UniqueConstraint('scope', 'number', name=op.f('uq_audit_scope_number')),
    sa.UniqueConstraint('team', 'seq', name=op.f('uq_audit_team_seq'))
    )
    op.create_index('ix_audit_unsealed', 'audit', ['id'], unique=False, sqlite_where=sa.text('seq IS NULL'), postgresql_where=sa.text('seq IS NULL'))
    op.create_table('audit_heads',
    sa.Column('team', Words, nullable=False),
    sa.Column('seq', Number, nullable=False),
    sa.Column('hash', Words, nullable=False),
    sa.Column('key_id', Words, nullable=False),
    sa.Column('mac', Words, nullable=False),
    sa.PrimaryKeyConstraint('team', name=op.f('pk_audit_heads'))
    )
    op.create_table('connections',
    sa.Column('team', Words, nullable=False),
    sa.Column('user', Words, nullable=False),
    sa.Column('provider', Words, nullable=False),
    sa.Column('account', Words, nullable=False),
    sa.Column('email', Words, server_default='', nullable=False),
    sa.Column('scopes', Json(), nullable=False),
    sa.Column('secret', Words, server_default='', nullable=False),
    sa.Column('status', Words, nullable=False),
    sa.Column('version', Number, server_default='1', nullable=False),
    sa.Column('updated_at', Moment(), nullable=False),
    sa.PrimaryKeyConstraint('team', 'user', 'provider', name=op.f('pk_connections'))
    )
    op.create_index('ix_connections_account', 'connections', ['provider', 'account'], unique=False)
    op.create_table('connects',
    sa.Column('id', Words, nullable=False),
    sa.Column('team', Words, nullable=False),
    sa.Column('user', Words, nullable=False),
    sa.Column('provider', Words, nullable=False),
    sa.Column('token_hash', Words, nullable=False),
    sa.Column('choices', Json(), nullable=False),
    sa.Column('missing', Json(), nullable=False),
    sa.Column('scopes', Json(), nullable=False),
    sa.Column('state_hash', Words, nullable=True),
    sa.Column('cookie_hash', Words, nullable=True),
    sa.Column('verifier', Words, nullable=True),
    sa.Column('confirm_hash', Words, nullable=True),
    sa.Column('held', Words, nullable=True),
    sa.Column('created_at', Moment(), nullable=False),
    sa.Column('expires_at', Moment(), nullable=False),
    sa.Column('opened_at', Moment(), nullable=True),
    sa.Column('consumed_at', Moment(), nullable=True),
    sa.Column('ended_at', Moment(), nullable=True),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_connects')),
    sa.UniqueConstraint('confirm_hash', name=op.f('uq_connects_confirm_hash')),
    sa.UniqueConstraint('state_hash', name=op.f('uq_connects_state_hash')),
    sa.UniqueConstraint('token_hash', name=op.f('uq_connects_token_hash'))
    )
    op.create_index('ix_connects_expiry', 'connects', ['expires_at'], unique=False)
    op.create_table('contents',
    sa.Column('run_id', Words, nullable=False),
    sa.Column('seq', Number, nullable=False),
    sa.Column('wire', Words, nullable=False),
    sa.Column('transport', Words, server_default='', nullable=False),
    sa.Column('model', Words, server_default='', nullable=False),
    sa.PrimaryKeyConstraint('run_id', 'seq', name=op.f('pk_contents'))
    )
    op.create_table('inbox',
    sa.Column('event_id', Words, nullable=False),
    sa.Column('team', Words, nullable=False),
    sa.Column('channel', Words, nullable=False),
    sa.Column('ts', Words, nullable=True),
    sa.Column('at', Moment(), nullable=False),
    sa.PrimaryKeyConstraint('event_id', name=op.f('pk_inbox'))
    )
    op.create_index('uq_inbox_place', 'inbox', ['team', 'channel', 'ts'], unique=True)
    op.create_table('leases',
    sa.Column('name', Words, nullable=False),
    sa.Column('holder', Words, nullable=True),
    sa.Column('epoch', Number, nullable=False),
    sa.Column('expires_at', Moment(), nullable=False),
    sa.PrimaryKeyConstraint('name', name=op.f('pk_leases'))
    )
    op.create_table('marks',
    sa.Column('name', Words, nullable=False),
    sa.Column('value', Words, nullable=False),
    sa.PrimaryKeyConstraint('name', name=op.f('pk_marks'))
    )
    op.create_table('memories',
    sa.Column('n', Number, autoincrement=True, nullable=False),
    sa.Column('id', Words, nullable=False),
    sa.Column('team', Words, nullable=False),
    sa.Column('user', Words, nullable=False),
    sa.Column('key', Words, nullable=False),
    sa.Column('text', Words, server_default='', nullable=False),
    sa.Column('label', Words, nullable=False),
    sa.Column('created_at', Moment(), nullable=False),
    sa.Column('forgotten_at', Moment(), nullable=True),
    sa.PrimaryKeyConstraint('n', name=op.f('pk_memories')),
    sa.UniqueConstraint('id', name=op.f('uq_memories_id')),
    sa.UniqueConstraint('key', name=op.f('uq_memories_key'))
    )
    op.create_index('ix_memories_owner', 'memories', ['team', 'user'], unique=False)
    op.create_table('messages',
    sa.Column('n', Number, autoincrement=True, nullable=False),
    sa.Column('id', Words, nullable=False),
    sa.Column('thread_id', Words, nullable=False),
    sa.Column('team', Words, nullable=False),
    sa.Column('speaker', Words, nullable=False),
    sa.Column('author', Words, nullable=False),
    sa.Column('text', Words, server_default='', nullable=False),
    sa.Column('typed', Words, server_default='', nullable=False),
    sa.Column('elements', Json(), nullable=False),
    sa.Column('channel', Words, server_default='', nullable=False),
    sa.Column('ts', Words, server_default='', nullable=False),
    sa.Column('root_ts', Words, server_default='', nullable=False),
    sa.Column('audience', Words, nullable=False),
    sa.Column('owner', Words, nullable=True),
    sa.Column('run_id', Words, nullable=True),
    sa.Column('steers', Words, nullable=True),
    sa.Column('taken_at', Moment(), nullable=True),
    sa.Column('label', Words, nullable=False),
    sa.Column('created_at', Moment(), nullable=False),
    sa.PrimaryKeyConstraint('n', name=op.f('pk_messages')),
    sa.UniqueConstraint('id', name=op.f('uq_messages_id'))
    )
    op.create_index('ix_messages_steers', 'messages', ['steers'], unique=False, sqlite_where=sa.text('steers IS NOT NULL'), postgresql_where=sa.text('steers IS NOT NULL'))
    op.create_index('ix_messages_untaken', 'messages', ['steers'], unique=False, sqlite_where=sa.text('steers IS NOT NULL AND taken_at IS NULL'), postgresql_where=sa.text('steers IS NOT NULL AND taken_at IS NULL'))
    op.create_index('ix_messages_thread', 'messages', ['thread_id', 'n'], unique=False)
    op.create_table('objects',
    sa.Column('n', Number, autoincrement=True, nullable=False),
    sa.Column('thread_id', Words, nullable=False),
    sa.Column('run_id', Words, nullable=False),
    sa.Column('owner', Words, nullable=False),
    sa.Column('kind', Words, nullable=False),
    sa.Column('object_id', Words, nullable=False),
    sa.Column('title', Words, server_default='', nullable=False),
    sa.Column('people', Json(), nullable=False),
    sa.Column('private', sa.Boolean(), server_default=sa.false(), nullable=False),
    sa.Column('at', Moment(), nullable=False),
    sa.PrimaryKeyConstraint('n', name=op.f('pk_objects'))
    )
    op.create_index('ix_objects_owner', 'objects', ['thread_id', 'owner', 'n'], unique=False)
    op.create_index('ix_objects_run', 'objects', ['run_id'], unique=False)
    op.create_table('outbox',
    sa.Column('id', Number, autoincrement=True, nullable=False),
    sa.Column('lane', Words, nullable=False),
    sa.Column('kind', Words, nullable=False),
    sa.Column('subject', Words, nullable=False),
    sa.Column('team', Words, nullable=False),
    sa.Column('state', Words, nullable=False),
    sa.Column('attempts', Number, server_default='0', nullable=False),
    sa.Column('not_before', Moment(), nullable=True),
    sa.Column('error', Words, server_default='', nullable=False),
    sa.Column('created_at', Moment(), nullable=False),
    sa.Column('ended_at', Moment(), nullable=True),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_outbox'))
    )
    op.create_index('ix_outbox_dead', 'outbox', ['id'], unique=False, sqlite_where=sa.text("state = 'dead'"), postgresql_where=sa.text("state = 'dead'"))
    op.create_index('ix_outbox_pending', 'outbox', ['lane', 'id'], unique=False, sqlite_where=sa.text("state = 'pending'"), postgresql_where=sa.text("state = 'pending'"))
    op.create_table('posts',
    sa.Column('run_id', Words, nullable=False),
    sa.Column('slot', Words, nullable=False),
    sa.Column('channel', Words, nullable=False),
    sa.Column('ts', Words, nullable=False),
    sa.Column('streaming', sa.Boolean(), server_default=sa.false(), nullable=False),
    sa.PrimaryKeyConstraint('run_id', 'slot', name=op.f('pk_posts'))
    )
    op.create_index('ix_posts_place', 'posts', ['channel', 'ts'], unique=False)
    op.create_table('questions',
    sa.Column('n', Number, autoincrement=True, nullable=False),
    sa.Column('id', Words, nullable=False),
    sa.Column('kind', Words, nullable=False),
    sa.Column('run_id', Words, nullable=False),
    sa.Column('step_id', Words, nullable=False),
    sa.Column('action_id', Words, nullable=False),
    sa.Column('thread_id', Words, nullable=False),
    sa.Column('team', Words, nullable=False),
    sa.Column('user', Words, nullable=False),
    sa.Column('state', Words, nullable=False),
    sa.Column('nonce', Words, nullable=False),
    sa.Column('edition', Number, nullable=False),
    sa.Column('hash', Words, nullable=False),
    sa.Column('payload', Json(), nullable=False),
    sa.Column('created_at', Moment(), nullable=False),
    sa.Column('expires_at', Moment(), nullable=False),
    sa.Column('remind_at', Moment(), nullable=True),
    sa.Column('reminded_at', Moment(), nullable=True),
    sa.Column('decided_at', Moment(), nullable=True),
    sa.Column('decided_by', Words, nullable=True),
    sa.Column('decision', Words, nullable=True),
    sa.Column('reason', Words, server_default='', nullable=False),
    sa.PrimaryKeyConstraint('n', name=op.f('pk_questions')),
    sa.UniqueConstraint('id', name=op.f('uq_questions_id'))
    )
    op.create_index('ix_questions_action', 'questions', ['action_id'], unique=False)
    op.create_index('ix_questions_expiry', 'questions', ['expires_at'], unique=False, sqlite_where=sa.text("state = 'open'"), postgresql_where=sa.text("state = 'open'"))
    op.create_index('ix_questions_owner', 'questions', ['team', 'user', 'state'], unique=False)
    op.create_index('ix_questions_reminder', 'questions', ['remind_at'], unique=False, sqlite_where=sa.text("state = 'open'"), postgresql_where=sa.text("state = 'open'"))
    op.create_index('ix_questions_run', 'questions', ['run_id', 'state'], unique=False)
    op.create_index('ix_questions_step', 'questions', ['step_id'], unique=False)
    op.create_table('rates',
    sa.Column('name', Words, nullable=False),
    sa.Column('next_at', Moment(), nullable=False),
    sa.PrimaryKeyConstraint('name', name=op.f('pk_rates'))
    )
    op.create_table('revocations',
    sa.Column('id', Words, nullable=False),
    sa.Column('team', Words, nullable=False),
    sa.Column('user', Words, nullable=False),
    sa.Column('provider', Words, nullable=False),
    sa.Column('account', Words, nullable=False),
    sa.Column('secret', Words, nullable=False),
    sa.Column('attempts', Number, server_default='0', nullable=False),
    sa.Column('not_before', Moment(), nullable=False),
    sa.Column('created_at', Moment(), nullable=False),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_revocations'))
    )
    op.create_index('ix_revocations_due', 'revocations', ['not_before'], unique=False)
    op.create_table('rules',
    sa.Column('id', Words, nullable=False),
    sa.Column('team', Words, nullable=False),
    sa.Column('user', Words, nullable=False),
    sa.Column('decision', Words, nullable=False),
    sa.Column('tool', Words, nullable=False),
    sa.Column('argument', Words, nullable=True),
    sa.Column('value', Words, nullable=True),
    sa.Column('by', Words, nullable=False),
    sa.Column('created_at', Moment(), nullable=False),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_rules'))
    )
    op.create_index('ix_rules_owner', 'rules', ['team', 'user'], unique=False)
    op.create_table('runs',
    sa.Column('id', Words, nullable=False),
    sa.Column('thread_id', Words, nullable=False),
    sa.Column('team', Words, nullable=False),
    sa.Column('user', Words, nullable=False),
    sa.Column('source_key', Words, nullable=False),
    sa.Column('message_id', Words, nullable=False),
    sa.Column('state', Words, nullable=False),
    sa.Column('mode', Words, nullable=False),
    sa.Column('model', Words, server_default='', nullable=False),
    sa.Column('transport', Words, server_default='', nullable=False),
    sa.Column('instruction', Words, server_default='', nullable=False),
    sa.Column('private', sa.Boolean(), server_default=sa.false(), nullable=False),
    sa.Column('label', Words, nullable=False),
    sa.Column('steps_taken', Number, server_default='0', nullable=False),
    sa.Column('limits', Json(), nullable=False),
    sa.Column('ceiling', Json(), nullable=False),
    sa.Column('hinted', Json(), nullable=False),
    sa.Column('retries', Number, server_default='0', nullable=False),
    sa.Column('prompt_tokens', Number, server_default='0', nullable=False),
    sa.Column('output_tokens', Number, server_default='0', nullable=False),
    sa.Column('cached_tokens', Number, server_default='0', nullable=False),
    sa.Column('cost_micros', Number, server_default='0', nullable=False),
    sa.Column('active_ms', Number, server_default='0', nullable=False),
    sa.Column('active_since', Moment(), nullable=True),
    sa.Column('stopping', Words, nullable=True),
    sa.Column('stopping_at', Moment(), nullable=True),
    sa.Column('hard_stop', Words, nullable=True),
    sa.Column('cancel_requested', sa.Boolean(), server_default=sa.false(), nullable=False),
    sa.Column('stopped_by', Words, nullable=True),
    sa.Column('request_deleted', sa.Boolean(), server_default=sa.false(), nullable=False),
    sa.Column('retry_of', Words, nullable=True),
    sa.Column('not_before', Moment(), nullable=True),
    sa.Column('late', sa.Boolean(), server_default=sa.false(), nullable=False),
    sa.Column('attached', Json(), nullable=False),
    sa.Column('summary', Words, server_default='', nullable=False),
    sa.Column('partial', Words, server_default='', nullable=False),
    sa.Column('error', Words, server_default='', nullable=False),
    sa.Column('order_key', Words, server_default='', nullable=False),
    sa.Column('created_at', Moment(), nullable=False),
    sa.Column('woken_at', Moment(), nullable=True),
    sa.Column('started_at', Moment(), nullable=True),
    sa.Column('completed_at', Moment(), nullable=True),
    sa.Column('duration_ms', Number, nullable=True),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_runs')),
    sa.UniqueConstraint('source_key', name=op.f('uq_runs_source_key'))
    )
    op.create_index('ix_runs_completed', 'runs', ['completed_at'], unique=False)
    op.create_index('ix_runs_held', 'runs', ['not_before'], unique=False, sqlite_where=sa.text("state = 'queued' AND not_before IS NOT NULL"), postgresql_where=sa.text("state = 'queued' AND not_before IS NOT NULL"))
    op.create_index('ix_runs_workable', 'runs', ['thread_id'], unique=False, sqlite_where=sa.text("state IN ('queued', 'planning', 'executing')"), postgresql_where=sa.text("state IN ('queued', 'planning', 'executing')"))
    op.create_index('ix_runs_live', 'runs', ['thread_id'], unique=False, sqlite_where=sa.text("state IN ('queued', 'planning', 'executing', 'awaiting_confirmation')"), postgresql_where=sa.text("state IN ('queued', 'planning', 'executing', 'awaiting_confirmation')"))
    op.create_index('ix_runs_message', 'runs', ['message_id'], unique=False)
    op.create_index('ix_runs_owner', 'runs', ['team', 'user', 'created_at'], unique=False)
    op.create_index('ix_runs_thread', 'runs', ['thread_id', 'order_key'], unique=False)
    op.create_table('schedules',
    sa.Column('id', Words, nullable=False),
    sa.Column('team', Words, nullable=False),
    sa.Column('user', Words, nullable=False),
    sa.Column('channel', Words, nullable=False),
    sa.Column('kind', Words, nullable=False),
    sa.Column('title', Words, server_default='', nullable=False),
    sa.Column('spec', Json(), nullable=False),
    sa.Column('zone', Words, nullable=False),
    sa.Column('payload', Json(), nullable=False),
    sa.Column('look', Words, nullable=False),
    sa.Column('state', Words, nullable=False),
    sa.Column('next_fire', Moment(), nullable=True),
    sa.Column('last_fired', Moment(), nullable=True),
    sa.Column('created_at', Moment(), nullable=False),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_schedules'))
    )
    op.create_index('ix_schedules_due', 'schedules', ['look', 'next_fire'], unique=False, sqlite_where=sa.text("state = 'active'"), postgresql_where=sa.text("state = 'active'"))
    op.create_index('ix_schedules_owner', 'schedules', ['team', 'user'], unique=False)
    op.create_table('spending',
    sa.Column('team', Words, nullable=False),
    sa.Column('day', Words, nullable=False),
    sa.Column('user', Words, nullable=False),
    sa.Column('tokens', Number, server_default='0', nullable=False),
    sa.Column('cost_micros', Number, server_default='0', nullable=False),
    sa.PrimaryKeyConstraint('team', 'day', 'user', name=op.f('pk_spending'))
    )
    op.create_table('steps',
    sa.Column('id', Words, nullable=False),
    sa.Column('run_id', Words, nullable=False),
    sa.Column('seq', Number, nullable=False),
    sa.Column('open', Number, server_default='0', nullable=False),
    sa.Column('model', Words, server_default='', nullable=False),
    sa.Column('finish', Words, server_default='', nullable=False),
    sa.Column('prompt_tokens', Number, server_default='0', nullable=False),
    sa.Column('output_tokens', Number, server_default='0', nullable=False),
    sa.Column('cached_tokens', Number, server_default='0', nullable=False),
    sa.Column('started_at', Moment(), nullable=False),
    sa.Column('ended_at', Moment(), nullable=False),
    sa.Column('closed_at', Moment(), nullable=True),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_steps')),
    sa.UniqueConstraint('run_id', 'seq', name=op.f('uq_steps_run_id_seq'))
    )
    op.create_table('threads',
    sa.Column('id', Words, nullable=False),
    sa.Column('team', Words, nullable=False),
    sa.Column('channel', Words, nullable=False),
    sa.Column('root_ts', Words, nullable=False),
    sa.Column('is_dm', sa.Boolean(), server_default=sa.false(), nullable=False),
    sa.Column('label', Words, server_default='owner', nullable=False),
    sa.Column('created_at', Moment(), nullable=False),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_threads')),
    sa.UniqueConstraint('team', 'channel', 'root_ts', name=op.f('uq_threads_team_channel_root_ts'))
    )
    op.create_table('users',
    sa.Column('team', Words, nullable=False),
    sa.Column('user', Words, nullable=False),
    sa.Column('name', Words, server_default='', nullable=False),
    sa.Column('email', Words, nullable=True),
    sa.Column('zone', Words, server_default='UTC', nullable=False),
    sa.Column('level', Words, server_default='supervised', nullable=False),
    sa.Column('is_admin', sa.Boolean(), server_default=sa.false(), nullable=False),
    sa.Column('is_guest', sa.Boolean(), server_default=sa.false(), nullable=False),
    sa.Column('is_bot', sa.Boolean(), server_default=sa.false(), nullable=False),
    sa.Column('is_deleted', sa.Boolean(), server_default=sa.false(), nullable=False),
    sa.PrimaryKeyConstraint('team', 'user', name=op.f('pk_users'))
    )
    op.create_table('votes',
    sa.Column('question_id', Words, nullable=False),
    sa.Column('user', Words, nullable=False),
    sa.Column('edition', Number, nullable=False),
    sa.Column('hash', Words, nullable=False),
    sa.Column('choice', Words, nullable=False),
    sa.Column('at', Moment(), nullable=False),
    sa.PrimaryKeyConstraint('question_id', 'user', name=op.f('pk_votes'))
    )
    op.create_table('workspaces',
    sa.Column('team', Words, nullable=False),
    sa.Column('name', Words, server_default='', nullable=False),
    sa.Column('bot_user', Words, server_default='', nullable=False),
    sa.Column('bot_id', Words, server_default='', nullable=False),
    sa.Column('cap', Words, server_default='autonomous', nullable=False),
    sa.PrimaryKeyConstraint('team', name=op.f('pk_workspaces'))
    )

    for statement in _POSTGRESQL if op.get_context().dialect.name == "postgresql" else _SQLITE:
        op.execute(statement)
