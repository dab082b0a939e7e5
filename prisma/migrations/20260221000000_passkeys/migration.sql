-- Passkeys (docs/interface.md#30): credentials of WebAuthn that accounts log in with.
CREATE TABLE passkeys (
  id uuid NOT NULL DEFAULT uuidv7(),
  user_id uuid NOT NULL,
  -- What the authenticator calls it, and the key (COSE) that its answers are signed with.
  credential_id bytea NOT NULL,
  public_key bytea NOT NULL,
  -- Of its last answer; 0 from authenticators that do not count.
  counter bigint NOT NULL,
  -- How browsers reach the authenticator, by its own account.
  transports text[] NOT NULL,
  backed_up boolean NOT NULL,
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  last_used_at timestamptz(3),
  CONSTRAINT passkeys_pkey PRIMARY KEY (id),
  CONSTRAINT passkeys_credential_id_key UNIQUE (credential_id),
  CONSTRAINT passkeys_credential_id_check CHECK (octet_length(credential_id) BETWEEN 1 AND 1023),
  CONSTRAINT passkeys_name_check CHECK (char_length(name) BETWEEN 1 AND 64),
  CONSTRAINT passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX passkeys_user_id_idx ON passkeys (user_id);
