-- Conversations of up to ten people.

-- A group is a channel without a pair. The version before finds no participant in it, so it neither lists nor reads it.
ALTER TABLE dm_channels ALTER COLUMN user_low DROP NOT NULL;
ALTER TABLE dm_channels ALTER COLUMN user_high DROP NOT NULL;
ALTER TABLE dm_channels ADD COLUMN name text;
ALTER TABLE dm_channels ADD COLUMN icon_url text;
ALTER TABLE dm_channels ADD CONSTRAINT dm_channels_kind_check
  CHECK (CASE WHEN user_low IS NULL THEN user_high IS NULL ELSE user_high IS NOT NULL AND name IS NULL AND icon_url IS NULL END)
  NOT VALID;
ALTER TABLE dm_channels VALIDATE CONSTRAINT dm_channels_kind_check;
ALTER TABLE dm_channels ADD CONSTRAINT dm_channels_name_check CHECK (char_length(name) BETWEEN 1 AND 100) NOT VALID;
ALTER TABLE dm_channels VALIDATE CONSTRAINT dm_channels_name_check;

-- Who is in a group, in the order in which they came: the first one owns it, so it always has one owner.
CREATE TABLE dm_group_members (
  channel_id uuid           NOT NULL,
  user_id    uuid           NOT NULL,
  position   integer        NOT NULL,
  joined_at  timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT dm_group_members_pkey PRIMARY KEY (channel_id, user_id),
  CONSTRAINT dm_group_members_position_check CHECK (position >= 1),
  CONSTRAINT dm_group_members_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES dm_channels (id)
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT dm_group_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id)
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX dm_group_members_channel_id_position_key ON dm_group_members (channel_id, position);
CREATE INDEX dm_group_members_user_id_idx ON dm_group_members (user_id);

-- What a group that nobody is in any more leaves is removed in steps, like other orphans. The lock lets two who leave
-- at once see each other: the second check finds nobody.
CREATE FUNCTION leave_empty_group() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM dm_channels WHERE id = OLD.channel_id FOR UPDATE;
  IF FOUND AND NOT EXISTS (SELECT FROM dm_group_members WHERE channel_id = OLD.channel_id) THEN
    INSERT INTO orphans (table_name, parent_id) VALUES ('dm_groups', OLD.channel_id) ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER dm_group_members_delete AFTER DELETE ON dm_group_members FOR EACH ROW EXECUTE FUNCTION leave_empty_group();

-- Icons are uploaded pictures.
CREATE TRIGGER dm_channels_picture_update AFTER UPDATE OF icon_url ON dm_channels FOR EACH ROW
  WHEN (OLD.icon_url LIKE '/media/%' AND OLD.icon_url IS DISTINCT FROM NEW.icon_url)
  EXECUTE FUNCTION release_picture('icon_url');
CREATE TRIGGER dm_channels_picture_delete AFTER DELETE ON dm_channels FOR EACH ROW
  WHEN (OLD.icon_url LIKE '/media/%') EXECUTE FUNCTION release_picture('icon_url');
CREATE INDEX dm_channels_picture_idx ON dm_channels (icon_url) WHERE icon_url LIKE '/media/%';
