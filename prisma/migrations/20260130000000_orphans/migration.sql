-- Whatever a server, a channel or a role may have without bound is removed after it, in small batches: members, bans,
-- timeouts and read states from now on, as messages and assignments of roles before. A deleted server is out of reach at
-- once, whatever is still stored of it, because everything that reads such rows asks for their server or channel.

-- No deletion is under way while the triggers change.
LOCK TABLE servers, channels, roles IN SHARE ROW EXCLUSIVE MODE;

-- Tables that may still hold rows of something deleted. Written in the transaction that deletes it, by triggers.
CREATE TABLE orphans (
  table_name text           NOT NULL,
  parent_id  uuid           NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT orphans_pkey PRIMARY KEY (table_name, parent_id)
);
CREATE INDEX orphans_created_at_table_name_parent_id_idx ON orphans (created_at, table_name, parent_id);

-- The arguments are the tables.
CREATE FUNCTION leave_orphans() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO orphans (table_name, parent_id)
    SELECT child.table_name, changed.id FROM changed CROSS JOIN unnest(TG_ARGV) AS child (table_name);
  RETURN NULL;
END $$;
CREATE TRIGGER servers_orphans_delete AFTER DELETE ON servers
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION leave_orphans('members', 'bans', 'timeouts');
CREATE OR REPLACE TRIGGER channels_purge_delete AFTER DELETE ON channels
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION leave_orphans('messages', 'read_states');
ALTER TRIGGER channels_purge_delete ON channels RENAME TO channels_orphans_delete;
CREATE OR REPLACE TRIGGER roles_purge_delete AFTER DELETE ON roles
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION leave_orphans('member_roles');
ALTER TRIGGER roles_purge_delete ON roles RENAME TO roles_orphans_delete;
DROP FUNCTION channels_purge, roles_purge;

-- What the foreign keys did but for the cascade: no row without its server or channel when it is stored. Like a foreign
-- key's check they lock it until the insert is committed, so a deletion leaves no row behind that its purge could miss.
-- They fail under the foreign key's name.
ALTER TABLE members DROP CONSTRAINT members_server_id_fkey;
ALTER TABLE bans DROP CONSTRAINT bans_server_id_fkey;
ALTER TABLE timeouts DROP CONSTRAINT timeouts_server_id_fkey;
ALTER TABLE read_states DROP CONSTRAINT read_states_channel_id_fkey;

CREATE FUNCTION refuse_orphan(table_name text, constraint_name text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE foreign_key_violation USING
    MESSAGE = format('insert on table "%s" violates foreign key constraint "%s"', table_name, constraint_name),
    TABLE = table_name, CONSTRAINT = constraint_name;
END $$;
CREATE FUNCTION server_exists() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM servers WHERE id = NEW.server_id FOR KEY SHARE;
  IF NOT FOUND THEN
    PERFORM refuse_orphan(TG_TABLE_NAME, TG_TABLE_NAME || '_server_id_fkey');
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER bans_server_insert BEFORE INSERT ON bans FOR EACH ROW EXECUTE FUNCTION server_exists();
CREATE TRIGGER timeouts_server_insert BEFORE INSERT ON timeouts FOR EACH ROW EXECUTE FUNCTION server_exists();
CREATE FUNCTION read_states_channel() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM channels WHERE id = NEW.channel_id FOR KEY SHARE;
  IF NOT FOUND THEN
    PERFORM refuse_orphan('read_states', 'read_states_channel_id_fkey');
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER read_states_channel_insert BEFORE INSERT ON read_states FOR EACH ROW
  EXECUTE FUNCTION read_states_channel();

-- Members lock and change their servers once per statement anyway.
CREATE OR REPLACE FUNCTION members_count() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  sign integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
  counted bigint;
BEGIN
  PERFORM FROM servers WHERE id IN (SELECT server_id FROM changed) ORDER BY id FOR NO KEY UPDATE;
  UPDATE servers SET member_count = member_count + sign * delta.members
    FROM (SELECT server_id, count(*)::integer AS members FROM changed GROUP BY server_id) AS delta
    WHERE servers.id = delta.server_id;
  GET DIAGNOSTICS counted = ROW_COUNT;
  IF TG_OP = 'INSERT' AND counted < (SELECT count(DISTINCT server_id) FROM changed) THEN
    PERFORM refuse_orphan('members', 'members_server_id_fkey');
  END IF;
  RETURN NULL;
END $$;

-- What waited. The views are for processes of the version before, which look for work there and remove it.
INSERT INTO orphans (table_name, parent_id, created_at)
  SELECT 'messages', channel_id, created_at FROM purges
  UNION ALL SELECT 'member_roles', role_id, created_at FROM role_purges;
DROP TABLE purges, role_purges;
CREATE VIEW purges AS SELECT parent_id AS channel_id, created_at FROM orphans WHERE table_name = 'messages';
CREATE VIEW role_purges AS SELECT parent_id AS role_id, created_at FROM orphans WHERE table_name = 'member_roles';
