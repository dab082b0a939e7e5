-- Messages of channels and direct messages that people keep for later. They may be gone: no key refers to them, because one
-- message may have as many rows as there are readers.
CREATE TABLE saves (
  user_id uuid NOT NULL REFERENCES users (id) ON UPDATE CASCADE ON DELETE CASCADE,
  message_id uuid NOT NULL,
  saved_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  note text CHECK (length(note) BETWEEN 1 AND 500),
  PRIMARY KEY (user_id, message_id)
);
CREATE INDEX saves_user_id_saved_at_message_id_idx ON saves (user_id, saved_at DESC, message_id DESC);
