-- Messages that people have written for a later time. A row goes when its message is stored; one that was refused stays with the
-- reason, and is not due any more. Its channel and thread may be gone.
CREATE TABLE planned_messages (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  user_id uuid NOT NULL REFERENCES users (id) ON UPDATE CASCADE ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('channel', 'direct')),
  channel_id uuid NOT NULL,
  thread_id uuid,
  content text NOT NULL CHECK (length(content) BETWEEN 1 AND 4000),
  reply_to uuid,
  nonce text NOT NULL CHECK (length(nonce) BETWEEN 1 AND 64),
  send_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  due_at timestamptz(3),
  -- Until then a process is sending it, and nothing changes it.
  claimed_until timestamptz(3),
  refusal jsonb,
  CHECK ((due_at IS NULL) = (refusal IS NOT NULL)),
  UNIQUE (user_id, channel_id, nonce)
);
CREATE INDEX planned_messages_due_at_idx ON planned_messages (due_at) WHERE due_at IS NOT NULL;
