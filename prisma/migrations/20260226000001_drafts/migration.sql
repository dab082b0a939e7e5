-- What people have begun to write in a channel or a thread. A row without content is a draft that was deleted: it stays for a
-- while, so that an older form of it from another device does not bring it back. Channels and threads may be gone.
CREATE TABLE drafts (
  user_id uuid NOT NULL REFERENCES users (id) ON UPDATE CASCADE ON DELETE CASCADE,
  -- The thread, or the channel without one.
  place_id uuid NOT NULL,
  channel_id uuid NOT NULL,
  content text CHECK (length(content) BETWEEN 1 AND 4000),
  reply_to uuid,
  updated_at timestamptz(3) NOT NULL,
  announced_at timestamptz(3) NOT NULL,
  -- When its last change is announced, while that waits.
  announce_at timestamptz(3),
  PRIMARY KEY (user_id, place_id)
);
CREATE INDEX drafts_announce_at_idx ON drafts (announce_at) WHERE announce_at IS NOT NULL;
CREATE INDEX drafts_deleted_idx ON drafts (updated_at) WHERE content IS NULL;
