-- When a user's presence was last set, so that a client that continues is told what changed meanwhile. Presences from
-- before this column count as unchanged.
ALTER TABLE users ADD COLUMN presence_changed_at timestamptz(3);
CREATE INDEX users_presence_changed_at_idx ON users (presence_changed_at) WHERE presence_changed_at IS NOT NULL;
