-- Uploaded pictures of people, servers and bots (docs/interface.md#28.5), by the hash of what is stored. One row serves all
-- who have the same picture; `avatar_url` and `icon_url` name it.
CREATE TABLE pictures (
  hash       text           NOT NULL,
  upload_id  uuid           NOT NULL,
  bytes_512  integer        NOT NULL,
  bytes_128  integer        NOT NULL,
  bytes_64   integer        NOT NULL,
  kept_at    timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT pictures_pkey PRIMARY KEY (hash),
  CONSTRAINT pictures_hash_check CHECK (hash ~ '^[0-9a-f]{64}$'),
  CONSTRAINT pictures_bytes_check CHECK (least(bytes_512, bytes_128, bytes_64) > 0)
);

-- Pictures that somebody has given up, and that perhaps nobody has any more. Triggers write it, so it covers every way in
-- which an account or a server loses its picture. Without a unique hash nobody waits for anybody who gives up the same one.
CREATE TABLE released_pictures (
  id   uuid NOT NULL DEFAULT uuidv7(),
  hash text NOT NULL,
  CONSTRAINT released_pictures_pkey PRIMARY KEY (id)
);

-- The argument is the column with the address, whose last 64 characters are the hash.
CREATE FUNCTION release_picture() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO released_pictures (hash) VALUES (right(to_jsonb(OLD) ->> TG_ARGV[0], 64));
  RETURN NULL;
END $$;
CREATE TRIGGER users_picture_update AFTER UPDATE OF avatar_url ON users FOR EACH ROW
  WHEN (OLD.avatar_url LIKE '/media/%' AND OLD.avatar_url IS DISTINCT FROM NEW.avatar_url)
  EXECUTE FUNCTION release_picture('avatar_url');
CREATE TRIGGER users_picture_delete AFTER DELETE ON users FOR EACH ROW
  WHEN (OLD.avatar_url LIKE '/media/%') EXECUTE FUNCTION release_picture('avatar_url');
CREATE TRIGGER servers_picture_update AFTER UPDATE OF icon_url ON servers FOR EACH ROW
  WHEN (OLD.icon_url LIKE '/media/%' AND OLD.icon_url IS DISTINCT FROM NEW.icon_url)
  EXECUTE FUNCTION release_picture('icon_url');
CREATE TRIGGER servers_picture_delete AFTER DELETE ON servers FOR EACH ROW
  WHEN (OLD.icon_url LIKE '/media/%') EXECUTE FUNCTION release_picture('icon_url');

-- Who has a picture.
CREATE INDEX users_picture_idx ON users (avatar_url) WHERE avatar_url LIKE '/media/%';
CREATE INDEX servers_picture_idx ON servers (icon_url) WHERE icon_url LIKE '/media/%';
