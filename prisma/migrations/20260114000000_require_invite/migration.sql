-- Nobody joins such a server without an invite.
ALTER TABLE servers ADD COLUMN require_invite boolean NOT NULL DEFAULT false;

-- READY says it, so it is part of what structure_version counts the changes of.
CREATE OR REPLACE TRIGGER servers_structure_update
  BEFORE UPDATE OF name, owner_id, icon_url, is_public, require_invite, created_at, updated_at
  ON servers FOR EACH ROW EXECUTE FUNCTION servers_structure();
