-- Files whose row is gone, until a process has deleted them from the storage: triggers write it in the transaction that
-- deletes the row, so no process that dies forgets one.
CREATE TABLE files_to_delete (
  id     uuid           NOT NULL DEFAULT uuidv7(),
  -- where the storage has it
  key    text           NOT NULL,
  -- and again, should the process that is at it die or the storage fail
  due_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT files_to_delete_pkey PRIMARY KEY (id)
);
CREATE INDEX files_to_delete_due_at_idx ON files_to_delete (due_at);

CREATE FUNCTION attachments_release() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO files_to_delete (key)
    SELECT TG_ARGV[0] || '/' || coalesce(upload_id, message_id) || '/' || stored_name FROM before;
  RETURN NULL;
END $$;
CREATE TRIGGER attachments_release AFTER DELETE ON attachments
  REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION attachments_release('attachments');
CREATE TRIGGER dm_attachments_release AFTER DELETE ON dm_attachments
  REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION attachments_release('dm-attachments');

CREATE FUNCTION custom_emojis_release() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO files_to_delete (key) SELECT 'emojis/' || id FROM before;
  RETURN NULL;
END $$;
CREATE TRIGGER custom_emojis_release AFTER DELETE ON custom_emojis
  REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION custom_emojis_release();

CREATE FUNCTION pictures_release() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO files_to_delete (key)
    SELECT 'pictures/' || hash || '/' || upload_id || '-' || size FROM before, unnest(ARRAY[512, 128, 64]) AS size;
  RETURN NULL;
END $$;
CREATE TRIGGER pictures_release AFTER DELETE ON pictures
  REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION pictures_release();

CREATE FUNCTION import_parts_release() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO files_to_delete (key) SELECT 'imports/' || import_id || '/' || number || '-' || upload_id FROM before;
  RETURN NULL;
END $$;
CREATE TRIGGER import_parts_release AFTER DELETE ON import_parts
  REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION import_parts_release();

-- The files of a server, newest first. The columns are filled by the triggers of storage.
CREATE INDEX attachments_server_id_id_idx ON attachments (server_id, id DESC) WHERE server_id IS NOT NULL;
