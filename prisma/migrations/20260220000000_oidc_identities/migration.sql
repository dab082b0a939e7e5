-- Single sign-on (docs/interface.md#29).

-- Who an account is at an identity provider.
CREATE TABLE oidc_identities (
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT oidc_identities_pkey PRIMARY KEY (issuer, subject),
  -- What an index takes.
  CONSTRAINT oidc_identities_length_check CHECK (octet_length(issuer) <= 1024 AND octet_length(subject) <= 1024),
  CONSTRAINT oidc_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON UPDATE CASCADE ON DELETE CASCADE
);
-- One person of a provider for an account.
CREATE UNIQUE INDEX oidc_identities_user_id_issuer_key ON oidc_identities (user_id, issuer);

-- The sessions that began at a provider, so that it can end them. A row outlives the refresh tokens of its session, because a
-- connection may.
CREATE TABLE oidc_sessions (
  session_id uuid NOT NULL,
  user_id uuid NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  -- The provider's session; null where it names none.
  sid text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT oidc_sessions_pkey PRIMARY KEY (session_id),
  CONSTRAINT oidc_sessions_length_check
    CHECK (octet_length(issuer) <= 1024 AND octet_length(subject) <= 1024 AND octet_length(sid) <= 1024),
  CONSTRAINT oidc_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX oidc_sessions_user_id_idx ON oidc_sessions (user_id);
CREATE INDEX oidc_sessions_issuer_subject_idx ON oidc_sessions (issuer, subject);
CREATE INDEX oidc_sessions_issuer_sid_idx ON oidc_sessions (issuer, sid);
CREATE INDEX oidc_sessions_created_at_idx ON oidc_sessions (created_at);

-- Answers of a provider that were found good, each until the page of the same browser exchanges its code, within a minute.
CREATE TABLE oidc_sign_ins (
  -- SHA-256, lower-case hex, of the code and of the browser's cookie.
  code_hash text NOT NULL,
  browser_hash text NOT NULL,
  -- The account that is to be connected; null for a sign-in.
  link_user_id uuid,
  issuer text NOT NULL,
  subject text NOT NULL,
  sid text,
  claims jsonb NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT oidc_sign_ins_pkey PRIMARY KEY (code_hash),
  CONSTRAINT oidc_sign_ins_hash_check CHECK (code_hash ~ '^[0-9a-f]{64}$' AND browser_hash ~ '^[0-9a-f]{64}$'),
  CONSTRAINT oidc_sign_ins_claims_check CHECK (jsonb_typeof(claims) = 'object')
);
CREATE INDEX oidc_sign_ins_expires_at_idx ON oidc_sign_ins (expires_at);

-- What counts once: states of attempts and ids of logout tokens, until they would be refused by their age.
CREATE TABLE oidc_used_tokens (
  -- SHA-256, lower-case hex.
  token_hash text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT oidc_used_tokens_pkey PRIMARY KEY (token_hash),
  CONSTRAINT oidc_used_tokens_token_hash_check CHECK (token_hash ~ '^[0-9a-f]{64}$')
);
CREATE INDEX oidc_used_tokens_expires_at_idx ON oidc_used_tokens (expires_at);
