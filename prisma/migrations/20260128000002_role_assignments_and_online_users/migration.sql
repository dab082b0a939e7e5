-- A role's assignments are removed after it, in small batches: a role may have 100,000 holders. A deleted role gives
-- nobody anything at once, because everything that reads assignments asks for the role or for what belongs to it.

-- Deleted roles whose assignments are still stored. Written by a trigger, so that the deletion of a server counts, too.
CREATE TABLE role_purges (
  role_id    uuid           NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT role_purges_pkey PRIMARY KEY (role_id)
);
CREATE FUNCTION roles_purge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO role_purges (role_id) SELECT id FROM changed;
  RETURN NULL;
END $$;
CREATE TRIGGER roles_purge_delete AFTER DELETE ON roles
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION roles_purge();

-- When the holder became a member: the order in which a role's holders are listed.
ALTER TABLE member_roles ADD COLUMN joined_at timestamptz(3) NOT NULL DEFAULT 'epoch';

-- What the foreign key did but for the cascade: no assignment without its role when it is stored. Like a foreign key's
-- check it locks the role until the insert is committed, so a deletion leaves no assignment behind that its purge could
-- miss. It fails under the foreign key's name.
ALTER TABLE member_roles DROP CONSTRAINT member_roles_role_id_server_id_fkey;
CREATE FUNCTION member_roles_role() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM roles WHERE id = NEW.role_id AND server_id = NEW.server_id FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE foreign_key_violation USING
      MESSAGE = 'insert on table "member_roles" violates foreign key constraint "member_roles_role_id_server_id_fkey"',
      TABLE = 'member_roles', CONSTRAINT = 'member_roles_role_id_server_id_fkey';
  END IF;
  SELECT joined_at INTO NEW.joined_at FROM members WHERE server_id = NEW.server_id AND user_id = NEW.user_id;
  -- Without a member the foreign key fails.
  NEW.joined_at := coalesce(NEW.joined_at, 'epoch');
  RETURN NEW;
END $$;
CREATE TRIGGER member_roles_role_insert BEFORE INSERT ON member_roles FOR EACH ROW
  EXECUTE FUNCTION member_roles_role();

UPDATE member_roles r SET joined_at = m.joined_at
  FROM members m WHERE m.server_id = r.server_id AND m.user_id = r.user_id;

CREATE INDEX member_roles_role_id_joined_at_user_id_idx ON member_roles (role_id, joined_at, user_id);
DROP INDEX member_roles_role_id_server_id_idx;
-- Only that foreign key needed it.
DROP INDEX roles_id_server_id_key;

-- Those whom the count of a server's members looks for, few among all accounts.
CREATE INDEX users_online_idx ON users (id) WHERE status <> 'offline';
