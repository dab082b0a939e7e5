-- What people ask of bots, until 15 minutes later (docs/interface.md#25.3, docs/architecture.md#interactions). No foreign keys: the
-- rows go by themselves, sooner than anything could be said to belong to them.
CREATE TABLE interactions (
  id            uuid           NOT NULL,
  bot_user_id   uuid           NOT NULL,
  user_id       uuid           NOT NULL,
  server_id     uuid           NOT NULL,
  channel_id    uuid           NOT NULL,
  type          text           NOT NULL,
  name          text           NOT NULL,
  state         text           NOT NULL DEFAULT 'pending',
  is_ephemeral  boolean        NOT NULL DEFAULT false,
  frame         text,
  connection_id text,
  gateway_id    text,
  connections   text[]         NOT NULL DEFAULT ARRAY[]::text[],
  message_id    uuid,
  answer        jsonb,
  created_at    timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  due_at        timestamptz(3),
  announce_at   timestamptz(3),
  expires_at    timestamptz(3) NOT NULL,
  CONSTRAINT interactions_pkey PRIMARY KEY (id),
  CONSTRAINT interactions_type_check CHECK (type IN ('command', 'component', 'modal', 'autocomplete')),
  CONSTRAINT interactions_state_check CHECK (state IN ('pending', 'deferred', 'answered', 'failed')),
  CONSTRAINT interactions_due_at_check CHECK ((due_at IS NOT NULL) = (state IN ('pending', 'deferred')))
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
CREATE INDEX interactions_bot_user_id_idx ON interactions (bot_user_id) WHERE state = 'pending' AND connection_id IS NULL;
CREATE INDEX interactions_due_at_idx ON interactions (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX interactions_announce_at_idx ON interactions (announce_at) WHERE announce_at IS NOT NULL;
CREATE INDEX interactions_expires_at_idx ON interactions (expires_at);

-- On answers to interactions: {id, user_id, name}.
ALTER TABLE messages ADD COLUMN interaction jsonb;
