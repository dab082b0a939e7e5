-- Roles that an invite gives, and the one address of a server that its owner chose.
ALTER TABLE invites
  ADD COLUMN role_ids uuid[] NOT NULL DEFAULT ARRAY[]::uuid[],
  ADD COLUMN vanity boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT invites_role_ids_check CHECK (cardinality(role_ids) <= 5),
  ADD CONSTRAINT invites_vanity_check CHECK (NOT vanity OR num_nonnulls(expires_at, max_uses) = 0);
CREATE UNIQUE INDEX invites_vanity_key ON invites (server_id) WHERE vanity;
ALTER TABLE invites
  DROP CONSTRAINT invites_code_check,
  ADD CONSTRAINT invites_code_check CHECK (code ~ '^([A-Za-z0-9]{8}|[a-z0-9-]{3,32})$');
