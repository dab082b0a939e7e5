-- Accounts whose deletion is under way: out of reach from the first moment, removed in small steps.
CREATE TABLE account_deletions (
  user_id       uuid           NOT NULL,
  -- until when one process is at it; another one continues after that
  claimed_until timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT account_deletions_pkey PRIMARY KEY (user_id),
  CONSTRAINT account_deletions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id)
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX account_deletions_claimed_until_idx ON account_deletions (claimed_until);

-- What these were created by is null once the account is gone.
ALTER TABLE custom_emojis ALTER COLUMN created_by DROP NOT NULL;
ALTER TABLE timeouts ALTER COLUMN created_by DROP NOT NULL;
ALTER TABLE webhooks ALTER COLUMN created_by DROP NOT NULL;
UPDATE custom_emojis SET created_by = NULL WHERE NOT EXISTS (SELECT FROM users u WHERE u.id = created_by);
UPDATE timeouts SET created_by = NULL WHERE NOT EXISTS (SELECT FROM users u WHERE u.id = created_by);
UPDATE webhooks SET created_by = NULL WHERE NOT EXISTS (SELECT FROM users u WHERE u.id = created_by);
ALTER TABLE custom_emojis ADD CONSTRAINT custom_emojis_created_by_fkey FOREIGN KEY (created_by) REFERENCES users (id)
  ON DELETE SET NULL ON UPDATE CASCADE;
ALTER TABLE timeouts ADD CONSTRAINT timeouts_created_by_fkey FOREIGN KEY (created_by) REFERENCES users (id)
  ON DELETE SET NULL ON UPDATE CASCADE;
ALTER TABLE webhooks ADD CONSTRAINT webhooks_created_by_fkey FOREIGN KEY (created_by) REFERENCES users (id)
  ON DELETE SET NULL ON UPDATE CASCADE;
CREATE INDEX custom_emojis_created_by_idx ON custom_emojis (created_by);
CREATE INDEX timeouts_created_by_idx ON timeouts (created_by);
CREATE INDEX webhooks_created_by_idx ON webhooks (created_by);
