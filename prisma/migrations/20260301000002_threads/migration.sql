-- What belongs to a thread beside its replies. A row is there from the first reply on; the trigger that counts replies keeps the time
-- of the last one.
CREATE TABLE threads (
  root_id uuid PRIMARY KEY REFERENCES messages (id) ON UPDATE CASCADE ON DELETE CASCADE,
  server_id uuid NOT NULL,
  channel_id uuid NOT NULL,
  title text CHECK (length(title) BETWEEN 1 AND 100),
  closed boolean NOT NULL DEFAULT false,
  last_reply_at timestamptz(3) NOT NULL
);
CREATE INDEX threads_server_id_last_reply_at_root_id_idx ON threads (server_id, last_reply_at DESC, root_id DESC);

CREATE OR REPLACE FUNCTION messages_count_replies() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  delta integer := CASE WHEN NEW.deleted THEN -1 ELSE 1 END;
BEGIN
  UPDATE messages SET thread_reply_count = thread_reply_count + delta WHERE id = NEW.thread_id;
  IF NEW.deleted THEN
    UPDATE threads t SET last_reply_at = coalesce((
        SELECT m.created_at FROM messages m WHERE m.thread_id = NEW.thread_id AND NOT m.deleted
        ORDER BY m.created_at DESC, m.id DESC LIMIT 1), t.last_reply_at)
      WHERE t.root_id = NEW.thread_id AND t.last_reply_at <= NEW.created_at;
  ELSE
    INSERT INTO threads AS t (root_id, server_id, channel_id, last_reply_at)
      VALUES (NEW.thread_id, NEW.server_id, NEW.channel_id, NEW.created_at)
      ON CONFLICT (root_id) DO UPDATE SET last_reply_at = greatest(t.last_reply_at, excluded.last_reply_at);
  END IF;
  RETURN NULL;
END $$;

-- Replies wait until the threads that there are have their rows.
LOCK TABLE messages IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO threads (root_id, server_id, channel_id, last_reply_at)
  SELECT m.thread_id, root.server_id, root.channel_id, max(m.created_at)
  FROM messages m JOIN messages root ON root.id = m.thread_id WHERE m.thread_id IS NOT NULL AND NOT m.deleted
  GROUP BY m.thread_id, root.server_id, root.channel_id
  ON CONFLICT DO NOTHING;

-- Up to when a follower has read a thread; in rows from before, since when they follow.
ALTER TABLE notification_targets ADD COLUMN read_at timestamptz(3);

-- A thread that the account is to follow, as a reply named it, or was the first one to its message; `since` is right before the reply.
ALTER TABLE inbox_changes ADD COLUMN root_id uuid, ADD COLUMN since timestamptz(3),
  ADD CONSTRAINT inbox_changes_check CHECK ((root_id IS NULL) = (since IS NULL));
