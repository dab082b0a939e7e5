-- Whom an account has blocked (docs/interface.md#28.3).
CREATE TABLE user_blocks (
  blocker_id uuid           NOT NULL,
  blocked_id uuid           NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT user_blocks_pkey PRIMARY KEY (blocker_id, blocked_id),
  CONSTRAINT user_blocks_blocked_id_check CHECK (blocked_id <> blocker_id),
  CONSTRAINT user_blocks_blocker_id_fkey FOREIGN KEY (blocker_id) REFERENCES users (id)
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT user_blocks_blocked_id_fkey FOREIGN KEY (blocked_id) REFERENCES users (id)
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX user_blocks_blocked_id_idx ON user_blocks (blocked_id);

-- Friendships, and requests for one until they are accepted: one row per pair.
CREATE TABLE friendships (
  user_low     uuid           NOT NULL,
  user_high    uuid           NOT NULL,
  requested_by uuid           NOT NULL,
  created_at   timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  accepted_at  timestamptz(3),
  CONSTRAINT friendships_pkey PRIMARY KEY (user_low, user_high),
  CONSTRAINT friendships_user_low_check CHECK (user_low < user_high),
  CONSTRAINT friendships_requested_by_check CHECK (requested_by IN (user_low, user_high)),
  CONSTRAINT friendships_user_low_fkey FOREIGN KEY (user_low) REFERENCES users (id)
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT friendships_user_high_fkey FOREIGN KEY (user_high) REFERENCES users (id)
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX friendships_user_high_idx ON friendships (user_high);

-- Who may write to an account directly; null is everyone, and not a key of the account.
ALTER TABLE users ADD COLUMN dms_from text,
  ADD CONSTRAINT users_dms_from_check CHECK (dms_from IN ('everyone', 'servers', 'friends'));
