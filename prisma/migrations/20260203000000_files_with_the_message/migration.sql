-- A message may be sent together with its files, and then have no text.
ALTER TABLE messages DROP CONSTRAINT messages_content_check;
ALTER TABLE messages ADD CONSTRAINT messages_content_check CHECK (char_length(content) <= 4000) NOT VALID;
ALTER TABLE messages VALIDATE CONSTRAINT messages_content_check;

-- Such files are stored before their message has an id: under the id of their upload.
ALTER TABLE attachments ADD COLUMN upload_id uuid;
CREATE UNIQUE INDEX attachments_upload_id_stored_name_key ON attachments (upload_id, stored_name);
