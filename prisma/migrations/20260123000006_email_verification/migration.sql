ALTER TABLE users ADD COLUMN email_verified_at timestamptz(3);

-- Tokens that prove who reads an address, each once. Only their hashes are stored.
CREATE TABLE email_verifications (
  token_hash text           NOT NULL,
  user_id    uuid           NOT NULL,
  email      text           NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT email_verifications_pkey PRIMARY KEY (token_hash),
  CONSTRAINT email_verifications_token_hash_check CHECK (token_hash ~ '^[0-9a-f]{64}$'),
  CONSTRAINT email_verifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id)
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX email_verifications_user_id_idx ON email_verifications (user_id);
CREATE INDEX email_verifications_expires_at_idx ON email_verifications (expires_at);
