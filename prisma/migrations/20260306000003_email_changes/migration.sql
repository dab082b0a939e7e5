-- Tokens of the mails about another address of an account: one makes it count, the other takes the former one back.
CREATE TABLE email_changes (
  token_hash text NOT NULL,
  user_id uuid NOT NULL,
  kind text NOT NULL,
  email text NOT NULL,
  verified boolean NOT NULL,
  issued_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT email_changes_pkey PRIMARY KEY (token_hash),
  CONSTRAINT email_changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT email_changes_token_hash_check CHECK (token_hash ~ '^[0-9a-f]{64}$'),
  CONSTRAINT email_changes_kind_check CHECK (kind IN ('confirm', 'revert'))
);
CREATE INDEX email_changes_user_id_idx ON email_changes (user_id);
CREATE INDEX email_changes_expires_at_idx ON email_changes (expires_at);
