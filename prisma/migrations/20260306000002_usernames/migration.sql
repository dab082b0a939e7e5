-- When the custom status of an account ends. The version before leaves it when the status changes, so that such a status may end early.
ALTER TABLE users ADD COLUMN status_expires_at timestamptz(3);
CREATE INDEX users_status_expires_at_idx ON users (status_expires_at) WHERE status_expires_at IS NOT NULL;

-- Names that accounts had, kept for them for 30 days. A name is one account's: nobody else's while it is kept.
CREATE TABLE former_usernames (
  username text NOT NULL,
  user_id uuid NOT NULL,
  changed_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT former_usernames_pkey PRIMARY KEY (username),
  CONSTRAINT former_usernames_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX former_usernames_user_id_idx ON former_usernames (user_id);
CREATE INDEX former_usernames_changed_at_idx ON former_usernames (changed_at);

-- After the row: one that waited for the change of the name's owner sees what that has kept. The error is that of a name that is taken.
CREATE FUNCTION users_former_name() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM former_usernames f
      WHERE f.username = NEW.username AND f.user_id <> NEW.id AND f.changed_at > now() - interval '30 days') THEN
    RAISE EXCEPTION 'duplicate key value violates unique constraint "users_username_key"'
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'users_username_key', TABLE = 'users',
        DETAIL = 'Key (username)=(' || NEW.username || ') already exists.';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER users_former_name_insert AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION users_former_name();
CREATE TRIGGER users_former_name_update AFTER UPDATE OF username ON users FOR EACH ROW EXECUTE FUNCTION users_former_name();
