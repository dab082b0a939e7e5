-- Small copies of large pictures (docs/protocol/storage.md#34.3).

-- When a process may make the copy, null once none is to be made; and the bytes of the copy, null while there is none.
ALTER TABLE attachments ADD COLUMN thumbnail_due_at timestamptz(3), ADD COLUMN thumbnail_bytes integer;
ALTER TABLE dm_attachments ADD COLUMN thumbnail_due_at timestamptz(3), ADD COLUMN thumbnail_bytes integer;
CREATE INDEX attachments_thumbnail_due_at_idx ON attachments (thumbnail_due_at) WHERE thumbnail_due_at IS NOT NULL;
CREATE INDEX dm_attachments_thumbnail_due_at_idx ON dm_attachments (thumbnail_due_at) WHERE thumbnail_due_at IS NOT NULL;

CREATE FUNCTION gets_thumbnail(mime_type text, file_size integer) RETURNS boolean LANGUAGE sql IMMUTABLE AS
  $$ SELECT mime_type IN ('image/jpeg', 'image/png', 'image/gif', 'image/webp') AND file_size > 200000 $$;

CREATE OR REPLACE FUNCTION attachments_place() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE attachments a SET author_id = m.author_id, server_id = m.server_id, channel_id = m.channel_id, counted = true,
      thumbnail_due_at = CASE WHEN gets_thumbnail(a.mime_type, a.file_size) THEN now() END
    FROM added JOIN messages m ON m.id = added.message_id WHERE a.id = added.id;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION dm_attachments_place() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE dm_attachments a SET author_id = m.author_id, channel_id = m.channel_id, counted = true,
      thumbnail_due_at = CASE WHEN gets_thumbnail(a.mime_type, a.file_size) THEN now() END
    FROM added JOIN dm_messages m ON m.id = added.message_id WHERE a.id = added.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION attachments_release() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO files_to_delete (key)
    SELECT TG_ARGV[0] || '/' || coalesce(upload_id, message_id) || '/' || stored_name FROM before
    UNION ALL
    SELECT replace(TG_ARGV[0], 'attachments', 'thumbnails') || '/' || coalesce(upload_id, message_id) || '/' || stored_name
    FROM before WHERE thumbnail_bytes IS NOT NULL;
  RETURN NULL;
END $$;

-- They count for the installation, not for accounts and servers, whose uploads were accepted without them.
CREATE TRIGGER attachments_thumbnails_update AFTER UPDATE ON attachments
  REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION files_count('thumbnail_bytes', '0');
CREATE TRIGGER attachments_thumbnails_delete AFTER DELETE ON attachments
  REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION files_count('thumbnail_bytes', '0');
CREATE TRIGGER dm_attachments_thumbnails_update AFTER UPDATE ON dm_attachments
  REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION files_count('thumbnail_bytes', '0');
CREATE TRIGGER dm_attachments_thumbnails_delete AFTER DELETE ON dm_attachments
  REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION files_count('thumbnail_bytes', '0');
