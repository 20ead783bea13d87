"""The first schema, with the full-text index of memories and the guard of the audit log."""

import sqlalchemy as sa
from alembic import op

import bot.store.columns

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


def upgrade() -> None:
    """Make every table."""
    op.create_table('actions',
    sa.Column('id', sa.String(length=64), nullable=False),
    sa.Column('run_id', sa.String(length=64), nullable=False),
    sa.Column('step_id', sa.String(length=64), nullable=False),
    sa.Column('thread_id', sa.String(length=64), nullable=False),
    sa.Column('team', sa.String(length=64), nullable=False),
    sa.Column('user', sa.String(length=64), nullable=False),
    sa.Column('seq', sa.Integer(), nullable=False),
    sa.Column('call_id', sa.String(length=128), nullable=False),
    sa.Column('call_id_given', sa.Boolean(), server_default=sa.text('0'), nullable=False),
    sa.Column('tool', sa.String(length=128), nullable=False),
    sa.Column('effect', sa.String(length=64), nullable=False),
    sa.Column('caption', sa.Text(), server_default='', nullable=False),
    sa.Column('args_proposed', sa.Text(), server_default='', nullable=False),
    sa.Column('args', sa.Text(), server_default='', nullable=False),
    sa.Column('args_hash', sa.String(length=64), server_default='', nullable=False),
    sa.Column('edition', sa.Integer(), server_default='1', nullable=False),
    sa.Column('state', sa.String(length=32), nullable=False),
    sa.Column('verdict', bot.store.columns.Json(), nullable=True),
    sa.Column('evidence', bot.store.columns.Json(), nullable=True),
    sa.Column('approval', bot.store.columns.Json(), nullable=True),
    sa.Column('preview', bot.store.columns.Json(), nullable=True),
    sa.Column('basis', bot.store.columns.Json(), nullable=True),
    sa.Column('account', sa.String(length=255), nullable=True),
    sa.Column('attempt', sa.Integer(), server_default='0', nullable=False),
    sa.Column('doubt', sa.Boolean(), server_default=sa.text('0'), nullable=False),
    sa.Column('deadline_at', bot.store.columns.Moment(), nullable=True),
    sa.Column('noted', bot.store.columns.Json(), nullable=True),
    sa.Column('response', bot.store.columns.Json(), nullable=True),
    sa.Column('summary', sa.Text(), server_default='', nullable=False),
    sa.Column('link', sa.Text(), nullable=True),
    sa.Column('undo', sa.String(length=128), nullable=True),
    sa.Column('label', sa.String(length=16), nullable=True),
    sa.Column('private', sa.Boolean(), server_default=sa.text('0'), nullable=False),
    sa.Column('created_at', bot.store.columns.Moment(), nullable=False),
    sa.Column('started_at', bot.store.columns.Moment(), nullable=True),
    sa.Column('ended_at', bot.store.columns.Moment(), nullable=True),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_actions')),
    sa.UniqueConstraint('step_id', 'seq', name=op.f('uq_actions_step_id_seq'))
    )
    op.create_index('ix_actions_run', 'actions', ['run_id'], unique=False)
    op.create_index('ix_actions_thread_state', 'actions', ['thread_id', 'state'], unique=False)
    op.create_table('audit',
    sa.Column('id', sa.Integer(), autoincrement=True, nullable=False),
    sa.Column('team', sa.String(length=64), nullable=False),
    sa.Column('scope', sa.String(length=128), nullable=False),
    sa.Column('number', sa.Integer(), nullable=False),
    sa.Column('code', sa.String(length=64), nullable=False),
    sa.Column('at', bot.store.columns.Moment(), nullable=False),
    sa.Column('body', sa.Text(), nullable=False),
    sa.Column('mac', sa.String(length=64), nullable=False),
    sa.Column('key_id', sa.String(length=32), nullable=False),
    sa.Column('seq', sa.Integer(), nullable=True),
    sa.Column('prev_hash', sa.String(length=64), nullable=True),
    sa.Column('hash', sa.String(length=64), nullable=True),
    sa.Column('seal_key_id', sa.String(length=32), nullable=True),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_audit')),
    sa.UniqueConstraint('scope', 'number', name=op.f('uq_audit_scope_number')),
    sa.UniqueConstraint('team', 'seq', name=op.f('uq_audit_team_seq'))
    )
    op.create_index('ix_audit_unsealed', 'audit', ['id'], unique=False, sqlite_where=sa.text('seq IS NULL'), postgresql_where=sa.text('seq IS NULL'))
    op.create_table('audit_heads',
    sa.Column('team', sa.String(length=64), nullable=False),
    sa.Column('seq', sa.Integer(), nullable=False),
    sa.Column('hash', sa.String(length=64), nullable=False),
    sa.Column('key_id', sa.String(length=32), nullable=False),
    sa.Column('mac', sa.String(length=64), nullable=False),
    sa.PrimaryKeyConstraint('team', name=op.f('pk_audit_heads'))
    )
    op.create_table('connections',
    sa.Column('team', sa.String(length=64), nullable=False),
    sa.Column('user', sa.String(length=64), nullable=False),
    sa.Column('provider', sa.String(length=32), nullable=False),
    sa.Column('account', sa.String(length=255), nullable=False),
    sa.Column('email', sa.Text(), server_default='', nullable=False),
    sa.Column('scopes', bot.store.columns.Json(), nullable=False),
    sa.Column('secret', sa.Text(), server_default='', nullable=False),
    sa.Column('status', sa.String(length=32), nullable=False),
    sa.Column('updated_at', bot.store.columns.Moment(), nullable=False),
    sa.PrimaryKeyConstraint('team', 'user', 'provider', name=op.f('pk_connections'))
    )
    op.create_table('contents',
    sa.Column('run_id', sa.String(length=64), nullable=False),
    sa.Column('seq', sa.Integer(), nullable=False),
    sa.Column('wire', sa.Text(), nullable=False),
    sa.Column('transport', sa.String(length=16), server_default='', nullable=False),
    sa.Column('model', sa.String(length=128), server_default='', nullable=False),
    sa.PrimaryKeyConstraint('run_id', 'seq', name=op.f('pk_contents'))
    )
    op.create_table('inbox',
    sa.Column('event_id', sa.String(length=128), nullable=False),
    sa.Column('team', sa.String(length=64), nullable=False),
    sa.Column('channel', sa.String(length=64), nullable=False),
    sa.Column('ts', sa.String(length=64), nullable=True),
    sa.Column('at', bot.store.columns.Moment(), nullable=False),
    sa.PrimaryKeyConstraint('event_id', name=op.f('pk_inbox'))
    )
    op.create_index('uq_inbox_place', 'inbox', ['team', 'channel', 'ts'], unique=True)
    op.create_table('leases',
    sa.Column('name', sa.String(length=128), nullable=False),
    sa.Column('holder', sa.String(length=64), nullable=True),
    sa.Column('epoch', sa.Integer(), nullable=False),
    sa.Column('expires_at', bot.store.columns.Moment(), nullable=False),
    sa.PrimaryKeyConstraint('name', name=op.f('pk_leases'))
    )
    op.create_table('marks',
    sa.Column('name', sa.String(length=64), nullable=False),
    sa.Column('value', sa.Text(), nullable=False),
    sa.PrimaryKeyConstraint('name', name=op.f('pk_marks'))
    )
    op.create_table('memories',
    sa.Column('n', sa.Integer(), autoincrement=True, nullable=False),
    sa.Column('id', sa.String(length=64), nullable=False),
    sa.Column('team', sa.String(length=64), nullable=False),
    sa.Column('user', sa.String(length=64), nullable=False),
    sa.Column('key', sa.String(length=64), nullable=False),
    sa.Column('text', sa.Text(), server_default='', nullable=False),
    sa.Column('label', sa.String(length=64), nullable=False),
    sa.Column('created_at', bot.store.columns.Moment(), nullable=False),
    sa.Column('forgotten_at', bot.store.columns.Moment(), nullable=True),
    sa.PrimaryKeyConstraint('n', name=op.f('pk_memories')),
    sa.UniqueConstraint('id', name=op.f('uq_memories_id')),
    sa.UniqueConstraint('key', name=op.f('uq_memories_key'))
    )
    op.create_index('ix_memories_owner', 'memories', ['team', 'user'], unique=False)
    op.create_table('messages',
    sa.Column('id', sa.String(length=64), nullable=False),
    sa.Column('thread_id', sa.String(length=64), nullable=False),
    sa.Column('team', sa.String(length=64), nullable=False),
    sa.Column('speaker', sa.String(length=64), nullable=False),
    sa.Column('author', sa.String(length=64), nullable=False),
    sa.Column('text', sa.Text(), server_default='', nullable=False),
    sa.Column('typed', sa.Text(), server_default='', nullable=False),
    sa.Column('elements', bot.store.columns.Json(), nullable=False),
    sa.Column('channel', sa.String(length=64), server_default='', nullable=False),
    sa.Column('ts', sa.String(length=64), server_default='', nullable=False),
    sa.Column('root_ts', sa.String(length=64), server_default='', nullable=False),
    sa.Column('audience', sa.String(length=64), nullable=False),
    sa.Column('owner', sa.String(length=64), nullable=True),
    sa.Column('run_id', sa.String(length=64), nullable=True),
    sa.Column('steers', sa.String(length=64), nullable=True),
    sa.Column('taken_at', bot.store.columns.Moment(), nullable=True),
    sa.Column('label', sa.String(length=64), nullable=False),
    sa.Column('created_at', bot.store.columns.Moment(), nullable=False),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_messages'))
    )
    op.create_index('ix_messages_steers', 'messages', ['steers'], unique=False, sqlite_where=sa.text('steers IS NOT NULL AND taken_at IS NULL'), postgresql_where=sa.text('steers IS NOT NULL AND taken_at IS NULL'))
    op.create_index('ix_messages_thread', 'messages', ['thread_id', 'created_at'], unique=False)
    op.create_table('objects',
    sa.Column('n', sa.Integer(), autoincrement=True, nullable=False),
    sa.Column('thread_id', sa.String(length=64), nullable=False),
    sa.Column('run_id', sa.String(length=64), nullable=False),
    sa.Column('owner', sa.String(length=64), nullable=False),
    sa.Column('kind', sa.String(length=64), nullable=False),
    sa.Column('object_id', sa.String(length=1024), nullable=False),
    sa.Column('title', sa.Text(), server_default='', nullable=False),
    sa.Column('people', bot.store.columns.Json(), nullable=False),
    sa.Column('at', bot.store.columns.Moment(), nullable=False),
    sa.PrimaryKeyConstraint('n', name=op.f('pk_objects'))
    )
    op.create_index('ix_objects_owner', 'objects', ['thread_id', 'owner', 'n'], unique=False)
    op.create_table('outbox',
    sa.Column('id', sa.Integer(), autoincrement=True, nullable=False),
    sa.Column('lane', sa.String(length=64), nullable=False),
    sa.Column('kind', sa.String(length=64), nullable=False),
    sa.Column('subject', sa.String(length=128), nullable=False),
    sa.Column('team', sa.String(length=64), nullable=False),
    sa.Column('state', sa.String(length=64), nullable=False),
    sa.Column('attempts', sa.Integer(), server_default='0', nullable=False),
    sa.Column('not_before', bot.store.columns.Moment(), nullable=True),
    sa.Column('error', sa.Text(), server_default='', nullable=False),
    sa.Column('created_at', bot.store.columns.Moment(), nullable=False),
    sa.Column('ended_at', bot.store.columns.Moment(), nullable=True),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_outbox'))
    )
    op.create_index('ix_outbox_pending', 'outbox', ['lane', 'id'], unique=False, sqlite_where=sa.text("state = 'pending'"), postgresql_where=sa.text("state = 'pending'"))
    op.create_table('posts',
    sa.Column('run_id', sa.String(length=64), nullable=False),
    sa.Column('slot', sa.String(length=128), nullable=False),
    sa.Column('channel', sa.String(length=64), nullable=False),
    sa.Column('ts', sa.String(length=64), nullable=False),
    sa.Column('streaming', sa.Boolean(), server_default=sa.text('0'), nullable=False),
    sa.PrimaryKeyConstraint('run_id', 'slot', name=op.f('pk_posts'))
    )
    op.create_index('ix_posts_place', 'posts', ['channel', 'ts'], unique=False)
    op.create_table('questions',
    sa.Column('id', sa.String(length=64), nullable=False),
    sa.Column('kind', sa.String(length=64), nullable=False),
    sa.Column('run_id', sa.String(length=64), nullable=False),
    sa.Column('step_id', sa.String(length=64), nullable=False),
    sa.Column('action_id', sa.String(length=64), nullable=False),
    sa.Column('thread_id', sa.String(length=64), nullable=False),
    sa.Column('team', sa.String(length=64), nullable=False),
    sa.Column('user', sa.String(length=64), nullable=False),
    sa.Column('state', sa.String(length=64), nullable=False),
    sa.Column('nonce', sa.String(length=64), nullable=False),
    sa.Column('edition', sa.Integer(), nullable=False),
    sa.Column('hash', sa.String(length=64), nullable=False),
    sa.Column('payload', bot.store.columns.Json(), nullable=False),
    sa.Column('created_at', bot.store.columns.Moment(), nullable=False),
    sa.Column('expires_at', bot.store.columns.Moment(), nullable=False),
    sa.Column('remind_at', bot.store.columns.Moment(), nullable=True),
    sa.Column('reminded_at', bot.store.columns.Moment(), nullable=True),
    sa.Column('decided_at', bot.store.columns.Moment(), nullable=True),
    sa.Column('decided_by', sa.String(length=64), nullable=True),
    sa.Column('decision', sa.String(length=32), nullable=True),
    sa.Column('reason', sa.Text(), server_default='', nullable=False),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_questions'))
    )
    op.create_index('ix_questions_action', 'questions', ['action_id'], unique=False)
    op.create_index('ix_questions_expiry', 'questions', ['expires_at'], unique=False, sqlite_where=sa.text("state = 'open'"), postgresql_where=sa.text("state = 'open'"))
    op.create_index('ix_questions_owner', 'questions', ['team', 'user', 'state'], unique=False)
    op.create_index('ix_questions_reminder', 'questions', ['remind_at'], unique=False, sqlite_where=sa.text("state = 'open'"), postgresql_where=sa.text("state = 'open'"))
    op.create_index('ix_questions_run', 'questions', ['run_id', 'state'], unique=False)
    op.create_index('ix_questions_step', 'questions', ['step_id'], unique=False)
    op.create_table('rates',
    sa.Column('name', sa.String(length=255), nullable=False),
    sa.Column('next_at', bot.store.columns.Moment(), nullable=False),
    sa.PrimaryKeyConstraint('name', name=op.f('pk_rates'))
    )
    op.create_table('rules',
    sa.Column('id', sa.String(length=64), nullable=False),
    sa.Column('team', sa.String(length=64), nullable=False),
    sa.Column('user', sa.String(length=64), nullable=False),
    sa.Column('decision', sa.String(length=64), nullable=False),
    sa.Column('tool', sa.String(length=128), nullable=False),
    sa.Column('argument', sa.String(length=128), nullable=True),
    sa.Column('value', sa.Text(), nullable=True),
    sa.Column('by', sa.String(length=64), nullable=False),
    sa.Column('created_at', bot.store.columns.Moment(), nullable=False),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_rules'))
    )
    op.create_index('ix_rules_owner', 'rules', ['team', 'user'], unique=False)
    op.create_table('runs',
    sa.Column('id', sa.String(length=64), nullable=False),
    sa.Column('thread_id', sa.String(length=64), nullable=False),
    sa.Column('team', sa.String(length=64), nullable=False),
    sa.Column('user', sa.String(length=64), nullable=False),
    sa.Column('source_key', sa.String(length=255), nullable=False),
    sa.Column('message_id', sa.String(length=64), nullable=False),
    sa.Column('state', sa.String(length=32), nullable=False),
    sa.Column('mode', sa.String(length=32), nullable=False),
    sa.Column('model', sa.Text(), server_default='', nullable=False),
    sa.Column('transport', sa.String(length=16), server_default='', nullable=False),
    sa.Column('instruction', sa.Text(), server_default='', nullable=False),
    sa.Column('private', sa.Boolean(), server_default=sa.text('0'), nullable=False),
    sa.Column('label', sa.String(length=16), nullable=False),
    sa.Column('steps_taken', sa.Integer(), server_default='0', nullable=False),
    sa.Column('limits', bot.store.columns.Json(), nullable=False),
    sa.Column('ceiling', bot.store.columns.Json(), nullable=False),
    sa.Column('hinted', bot.store.columns.Json(), nullable=False),
    sa.Column('retries', sa.Integer(), server_default='0', nullable=False),
    sa.Column('prompt_tokens', sa.Integer(), server_default='0', nullable=False),
    sa.Column('output_tokens', sa.Integer(), server_default='0', nullable=False),
    sa.Column('cached_tokens', sa.Integer(), server_default='0', nullable=False),
    sa.Column('cost_micros', sa.Integer(), server_default='0', nullable=False),
    sa.Column('active_ms', sa.Integer(), server_default='0', nullable=False),
    sa.Column('active_since', bot.store.columns.Moment(), nullable=True),
    sa.Column('stopping', sa.Text(), nullable=True),
    sa.Column('stopping_at', bot.store.columns.Moment(), nullable=True),
    sa.Column('hard_stop', sa.Text(), nullable=True),
    sa.Column('cancel_requested', sa.Boolean(), server_default=sa.text('0'), nullable=False),
    sa.Column('stopped_by', sa.String(length=64), nullable=True),
    sa.Column('request_deleted', sa.Boolean(), server_default=sa.text('0'), nullable=False),
    sa.Column('retry_of', sa.String(length=64), nullable=True),
    sa.Column('not_before', bot.store.columns.Moment(), nullable=True),
    sa.Column('late', sa.Boolean(), server_default=sa.text('0'), nullable=False),
    sa.Column('attached', bot.store.columns.Json(), nullable=False),
    sa.Column('summary', sa.Text(), server_default='', nullable=False),
    sa.Column('partial', sa.Text(), server_default='', nullable=False),
    sa.Column('error', sa.Text(), server_default='', nullable=False),
    sa.Column('order_key', sa.String(length=64), server_default='', nullable=False),
    sa.Column('created_at', bot.store.columns.Moment(), nullable=False),
    sa.Column('woken_at', bot.store.columns.Moment(), nullable=True),
    sa.Column('started_at', bot.store.columns.Moment(), nullable=True),
    sa.Column('completed_at', bot.store.columns.Moment(), nullable=True),
    sa.Column('duration_ms', sa.Integer(), nullable=True),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_runs')),
    sa.UniqueConstraint('source_key', name=op.f('uq_runs_source_key'))
    )
    op.create_index('ix_runs_live', 'runs', ['thread_id'], unique=False, sqlite_where=sa.text("state IN ('queued', 'planning', 'executing', 'awaiting_confirmation')"), postgresql_where=sa.text("state IN ('queued', 'planning', 'executing', 'awaiting_confirmation')"))
    op.create_index('ix_runs_message', 'runs', ['message_id'], unique=False)
    op.create_index('ix_runs_owner', 'runs', ['team', 'user', 'created_at'], unique=False)
    op.create_index('ix_runs_thread', 'runs', ['thread_id', 'order_key'], unique=False)
    op.create_table('schedules',
    sa.Column('id', sa.String(length=64), nullable=False),
    sa.Column('team', sa.String(length=64), nullable=False),
    sa.Column('user', sa.String(length=64), nullable=False),
    sa.Column('channel', sa.String(length=64), nullable=False),
    sa.Column('kind', sa.String(length=64), nullable=False),
    sa.Column('title', sa.Text(), server_default='', nullable=False),
    sa.Column('spec', bot.store.columns.Json(), nullable=False),
    sa.Column('zone', sa.String(length=64), nullable=False),
    sa.Column('payload', bot.store.columns.Json(), nullable=False),
    sa.Column('state', sa.String(length=64), nullable=False),
    sa.Column('next_fire', bot.store.columns.Moment(), nullable=True),
    sa.Column('last_fired', bot.store.columns.Moment(), nullable=True),
    sa.Column('created_at', bot.store.columns.Moment(), nullable=False),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_schedules'))
    )
    op.create_index('ix_schedules_due', 'schedules', ['next_fire'], unique=False, sqlite_where=sa.text("state = 'active'"), postgresql_where=sa.text("state = 'active'"))
    op.create_index('ix_schedules_owner', 'schedules', ['team', 'user'], unique=False)
    op.create_table('spending',
    sa.Column('team', sa.String(length=64), nullable=False),
    sa.Column('day', sa.String(length=10), nullable=False),
    sa.Column('user', sa.String(length=64), nullable=False),
    sa.Column('tokens', sa.Integer(), server_default='0', nullable=False),
    sa.Column('cost_micros', sa.Integer(), server_default='0', nullable=False),
    sa.PrimaryKeyConstraint('team', 'day', 'user', name=op.f('pk_spending'))
    )
    op.create_table('steps',
    sa.Column('id', sa.String(length=64), nullable=False),
    sa.Column('run_id', sa.String(length=64), nullable=False),
    sa.Column('seq', sa.Integer(), nullable=False),
    sa.Column('open', sa.Integer(), server_default='0', nullable=False),
    sa.Column('revision', sa.Integer(), server_default='0', nullable=False),
    sa.Column('model', sa.Text(), server_default='', nullable=False),
    sa.Column('finish', sa.Text(), server_default='', nullable=False),
    sa.Column('prompt_tokens', sa.Integer(), server_default='0', nullable=False),
    sa.Column('output_tokens', sa.Integer(), server_default='0', nullable=False),
    sa.Column('cached_tokens', sa.Integer(), server_default='0', nullable=False),
    sa.Column('started_at', bot.store.columns.Moment(), nullable=False),
    sa.Column('ended_at', bot.store.columns.Moment(), nullable=False),
    sa.Column('closed_at', bot.store.columns.Moment(), nullable=True),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_steps')),
    sa.UniqueConstraint('run_id', 'seq', name=op.f('uq_steps_run_id_seq'))
    )
    op.create_table('threads',
    sa.Column('id', sa.String(length=64), nullable=False),
    sa.Column('team', sa.String(length=64), nullable=False),
    sa.Column('channel', sa.String(length=64), nullable=False),
    sa.Column('root_ts', sa.String(length=64), nullable=False),
    sa.Column('is_dm', sa.Boolean(), server_default=sa.text('0'), nullable=False),
    sa.Column('label', sa.String(length=16), server_default='owner', nullable=False),
    sa.Column('revision', sa.Integer(), server_default='0', nullable=False),
    sa.Column('created_at', bot.store.columns.Moment(), nullable=False),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_threads')),
    sa.UniqueConstraint('team', 'channel', 'root_ts', name=op.f('uq_threads_team_channel_root_ts'))
    )
    op.create_table('users',
    sa.Column('team', sa.String(length=64), nullable=False),
    sa.Column('user', sa.String(length=64), nullable=False),
    sa.Column('name', sa.Text(), server_default='', nullable=False),
    sa.Column('email', sa.Text(), nullable=True),
    sa.Column('zone', sa.String(length=64), server_default='UTC', nullable=False),
    sa.Column('level', sa.String(length=16), server_default='supervised', nullable=False),
    sa.Column('is_admin', sa.Boolean(), server_default=sa.text('0'), nullable=False),
    sa.Column('is_guest', sa.Boolean(), server_default=sa.text('0'), nullable=False),
    sa.Column('is_bot', sa.Boolean(), server_default=sa.text('0'), nullable=False),
    sa.Column('is_deleted', sa.Boolean(), server_default=sa.text('0'), nullable=False),
    sa.PrimaryKeyConstraint('team', 'user', name=op.f('pk_users'))
    )
    op.create_table('votes',
    sa.Column('question_id', sa.String(length=64), nullable=False),
    sa.Column('user', sa.String(length=64), nullable=False),
    sa.Column('edition', sa.Integer(), nullable=False),
    sa.Column('hash', sa.String(length=64), nullable=False),
    sa.Column('choice', sa.String(length=32), nullable=False),
    sa.Column('at', bot.store.columns.Moment(), nullable=False),
    sa.PrimaryKeyConstraint('question_id', 'user', name=op.f('pk_votes'))
    )
    op.create_table('workspaces',
    sa.Column('team', sa.String(length=64), nullable=False),
    sa.Column('name', sa.Text(), server_default='', nullable=False),
    sa.Column('bot_user', sa.Text(), server_default='', nullable=False),
    sa.Column('bot_id', sa.Text(), server_default='', nullable=False),
    sa.Column('cap', sa.String(length=16), server_default='autonomous', nullable=False),
    sa.PrimaryKeyConstraint('team', name=op.f('pk_workspaces'))
    )
    
    for statement in _SQLITE:
        op.execute(statement)
