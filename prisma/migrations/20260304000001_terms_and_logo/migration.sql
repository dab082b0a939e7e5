-- The terms count their changes: the newest version, the version that every account has to accept, and what an account accepted.
ALTER TABLE instance_settings
  ADD COLUMN terms_version integer NOT NULL DEFAULT 0,
  ADD COLUMN terms_asked integer NOT NULL DEFAULT 0,
  ADD COLUMN logo_url text,
  ADD CONSTRAINT instance_settings_terms_check CHECK (terms_asked BETWEEN 0 AND terms_version);
ALTER TABLE users ADD COLUMN terms_version integer NOT NULL DEFAULT 0;

CREATE TRIGGER instance_settings_picture_update AFTER UPDATE OF logo_url ON instance_settings FOR EACH ROW
  WHEN (OLD.logo_url IS NOT NULL AND OLD.logo_url IS DISTINCT FROM NEW.logo_url)
  EXECUTE FUNCTION release_picture('logo_url');
