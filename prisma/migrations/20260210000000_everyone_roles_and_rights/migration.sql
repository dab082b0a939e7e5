-- The everyone role of a server is a part of its row: every server has exactly one, and a server that another process
-- of an older release creates has it as well. Rights are sums of the values in packages/contracts/src/rights.ts.
ALTER TABLE servers
  ADD COLUMN everyone_permissions integer NOT NULL DEFAULT 123,
  ADD COLUMN everyone_rights      integer NOT NULL DEFAULT 65,
  ADD COLUMN hierarchy            boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT servers_everyone_permissions_check CHECK (everyone_permissions BETWEEN 0 AND 32767 AND everyone_permissions & 8192 = 0),
  ADD CONSTRAINT servers_everyone_rights_check CHECK (everyone_rights BETWEEN 0 AND 127);
ALTER TABLE roles
  ADD COLUMN rights integer NOT NULL DEFAULT 0,
  ADD CONSTRAINT roles_rights_check CHECK (rights BETWEEN 0 AND 127);

-- An override of the everyone role names neither a role nor a user.
ALTER TABLE channel_overrides
  DROP CONSTRAINT channel_overrides_target_check,
  ADD CONSTRAINT channel_overrides_target_check CHECK (num_nonnulls(role_id, user_id) <= 1);
CREATE UNIQUE INDEX channel_overrides_target_key ON channel_overrides (channel_id, role_id, user_id)
  NULLS NOT DISTINCT;

-- READY says all of it, so it is part of what structure_version counts the changes of.
CREATE OR REPLACE TRIGGER servers_structure_update
  BEFORE UPDATE OF name, owner_id, icon_url, is_public, require_invite, everyone_permissions, everyone_rights, hierarchy, created_at, updated_at
  ON servers FOR EACH ROW EXECUTE FUNCTION servers_structure();
