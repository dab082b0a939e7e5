-- A ban may end by itself. Without a time it stays until somebody ends it, as those that an older release stores.
ALTER TABLE bans ADD COLUMN expires_at timestamptz(3);
CREATE INDEX bans_expires_at_idx ON bans (expires_at);

-- What banned users wrote and is still to be deleted: too much for one transaction, and not to be forgotten when the
-- process that stored the ban dies.
CREATE TABLE ban_purges (
  server_id  uuid           NOT NULL,
  user_id    uuid           NOT NULL,
  since      timestamptz(3) NOT NULL,
  until      timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  due_at     timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT ban_purges_pkey PRIMARY KEY (server_id, user_id)
);
CREATE INDEX ban_purges_due_at_idx ON ban_purges (due_at);
