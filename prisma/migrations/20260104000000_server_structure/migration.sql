-- Grows with every change of what READY says about a server to all its members alike: the server itself, its roles, its
-- channels and their overrides. A gateway that has read them keeps them for as long as the version stays, so READY reads
-- per user only what is the user's own.
ALTER TABLE servers ADD COLUMN structure_version integer NOT NULL DEFAULT 0;

-- Whoever changes a server has locked its row already; the others lock in one order, as members_count() does.
CREATE FUNCTION servers_structure_changed(ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM servers WHERE id = ANY (ids) ORDER BY id FOR NO KEY UPDATE;
  UPDATE servers SET structure_version = structure_version + 1 WHERE id = ANY (ids);
END $$;

CREATE FUNCTION servers_structure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.structure_version := OLD.structure_version + 1;
  RETURN NEW;
END $$;
CREATE TRIGGER servers_structure_update BEFORE UPDATE OF name, owner_id, icon_url, is_public, created_at, updated_at
  ON servers FOR EACH ROW EXECUTE FUNCTION servers_structure();

-- For tables whose rows name their server.
CREATE FUNCTION server_parts_structure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM servers_structure_changed(ARRAY(SELECT DISTINCT server_id FROM changed));
  RETURN NULL;
END $$;
CREATE TRIGGER channels_structure_insert AFTER INSERT ON channels
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION server_parts_structure();
CREATE TRIGGER channels_structure_update AFTER UPDATE ON channels
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION server_parts_structure();
CREATE TRIGGER channels_structure_delete AFTER DELETE ON channels
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION server_parts_structure();
CREATE TRIGGER roles_structure_insert AFTER INSERT ON roles
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION server_parts_structure();
CREATE TRIGGER roles_structure_update AFTER UPDATE ON roles
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION server_parts_structure();
CREATE TRIGGER roles_structure_delete AFTER DELETE ON roles
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION server_parts_structure();

-- An override that goes with its channel finds no server here; the channel's own trigger does.
CREATE FUNCTION channel_overrides_structure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM servers_structure_changed(
    ARRAY(SELECT DISTINCT c.server_id FROM changed JOIN channels c ON c.id = changed.channel_id));
  RETURN NULL;
END $$;
CREATE TRIGGER channel_overrides_structure_insert AFTER INSERT ON channel_overrides
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION channel_overrides_structure();
CREATE TRIGGER channel_overrides_structure_update AFTER UPDATE ON channel_overrides
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION channel_overrides_structure();
CREATE TRIGGER channel_overrides_structure_delete AFTER DELETE ON channel_overrides
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION channel_overrides_structure();

-- READY finds the channels of a user's servers without reading their rows.
DROP INDEX channels_server_id_idx;
CREATE INDEX channels_server_id_id_idx ON channels (server_id, id);
