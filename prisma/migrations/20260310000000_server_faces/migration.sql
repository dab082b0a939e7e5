-- What a server shows of itself to people who look for one, and what administrators decide about its place among others.
ALTER TABLE servers
  ADD COLUMN description text,
  ADD COLUMN tags text[] NOT NULL DEFAULT ARRAY[]::text[],
  ADD COLUMN language text,
  ADD COLUMN banner_url text,
  ADD COLUMN listed boolean NOT NULL DEFAULT true,
  ADD COLUMN featured boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT servers_tags_check CHECK (cardinality(tags) <= 5);

CREATE TRIGGER servers_banner_update AFTER UPDATE OF banner_url ON servers FOR EACH ROW
  WHEN (OLD.banner_url LIKE '/media/%' AND OLD.banner_url IS DISTINCT FROM NEW.banner_url)
  EXECUTE FUNCTION release_picture('banner_url');
CREATE TRIGGER servers_banner_delete AFTER DELETE ON servers FOR EACH ROW
  WHEN (OLD.banner_url LIKE '/media/%') EXECUTE FUNCTION release_picture('banner_url');
CREATE INDEX servers_banner_idx ON servers (banner_url) WHERE banner_url LIKE '/media/%';

-- The order of the public servers; that of before serves the version before.
CREATE INDEX servers_listed_idx ON servers (featured DESC, member_count DESC, created_at DESC, id DESC)
  WHERE is_public AND listed;

-- READY says it, so it is part of what structure_version counts the changes of.
CREATE OR REPLACE TRIGGER servers_structure_update
  BEFORE UPDATE OF name, owner_id, icon_url, is_public, require_invite, everyone_permissions, everyone_rights, hierarchy, created_at, updated_at,
    description, tags, language, banner_url
  ON servers FOR EACH ROW EXECUTE FUNCTION servers_structure();

-- The words that a server is found by, also where VACUUM and restores read them, which name no schemas. Signs are blanks, so that each part of `node.js` or of a tag is a word.
CREATE FUNCTION server_words(name text, description text, tags text[]) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path FROM CURRENT AS $$
BEGIN
  RETURN to_tsvector('simple'::regconfig, translate(
    search_text(concat_ws(' ', name, description, array_to_string(tags, ' '))),
    '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32)));
END $$;
CREATE INDEX servers_words_idx ON servers USING gin (server_words(name, description, tags)) WHERE is_public AND listed;
