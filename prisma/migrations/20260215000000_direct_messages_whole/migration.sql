-- Direct messages can be answered, edited, deleted and reacted to, and have files.

-- No foreign key: the id of a message that was deleted since stays.
ALTER TABLE dm_messages ADD COLUMN reply_to uuid;

-- One that is sent with its files may have no text.
ALTER TABLE dm_messages DROP CONSTRAINT dm_messages_content_check;
ALTER TABLE dm_messages ADD CONSTRAINT dm_messages_content_check CHECK (char_length(content) <= 4000) NOT VALID;
ALTER TABLE dm_messages VALIDATE CONSTRAINT dm_messages_content_check;

-- A deleted message is removed, so that everything that reads messages is right without asking. Its id stays here: a
-- client that pages through the history may have it as its cursor.
CREATE TABLE deleted_dm_messages (
  id         uuid NOT NULL,
  channel_id uuid NOT NULL,
  CONSTRAINT deleted_dm_messages_pkey PRIMARY KEY (id),
  CONSTRAINT deleted_dm_messages_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES dm_channels (id)
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX deleted_dm_messages_channel_id_idx ON deleted_dm_messages (channel_id);

CREATE TABLE dm_reactions (
  message_id uuid           NOT NULL,
  emoji      text           NOT NULL,
  user_id    uuid           NOT NULL,
  created_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT dm_reactions_pkey PRIMARY KEY (message_id, emoji, user_id),
  CONSTRAINT dm_reactions_emoji_check CHECK (octet_length(emoji) BETWEEN 1 AND 64),
  CONSTRAINT dm_reactions_message_id_fkey FOREIGN KEY (message_id) REFERENCES dm_messages (id)
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT dm_reactions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id)
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX dm_reactions_user_id_idx ON dm_reactions (user_id);

CREATE TABLE dm_attachments (
  id          uuid           NOT NULL DEFAULT uuidv7(),
  message_id  uuid           NOT NULL,
  upload_id   uuid,
  filename    text           NOT NULL,
  stored_name text           NOT NULL,
  file_size   integer        NOT NULL,
  mime_type   text           NOT NULL,
  width       integer,
  height      integer,
  created_at  timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT dm_attachments_pkey PRIMARY KEY (id),
  CONSTRAINT dm_attachments_filename_check CHECK (char_length(filename) BETWEEN 1 AND 255),
  CONSTRAINT dm_attachments_stored_name_check CHECK (stored_name ~ '^[0-9a-f]{32}_[A-Za-z0-9._-]{1,128}$'),
  CONSTRAINT dm_attachments_file_size_check CHECK (file_size BETWEEN 1 AND 52428800),
  CONSTRAINT dm_attachments_dimensions_check CHECK ((width IS NULL) = (height IS NULL)),
  CONSTRAINT dm_attachments_message_id_fkey FOREIGN KEY (message_id) REFERENCES dm_messages (id)
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX dm_attachments_message_id_stored_name_key ON dm_attachments (message_id, stored_name);
CREATE UNIQUE INDEX dm_attachments_upload_id_stored_name_key ON dm_attachments (upload_id, stored_name);
