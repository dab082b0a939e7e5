-- Link cards of messages (docs/interface.md#28.11), each list as LinkPreview; an empty one was removed by hand, and no
-- card of the message is made any more.
CREATE TABLE message_previews (
  message_id uuid  NOT NULL,
  previews   jsonb NOT NULL,
  CONSTRAINT message_previews_pkey PRIMARY KEY (message_id),
  CONSTRAINT message_previews_previews_check CHECK (jsonb_typeof(previews) = 'array' AND jsonb_array_length(previews) <= 3),
  CONSTRAINT message_previews_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages (id)
    ON DELETE CASCADE ON UPDATE CASCADE
);

-- Messages whose cards are still to be made. Few rows, each for some seconds.
CREATE TABLE preview_tasks (
  message_id uuid           NOT NULL,
  server_id  uuid           NOT NULL,
  author_id  uuid           NOT NULL,
  attempts   integer        NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  due_at     timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT preview_tasks_pkey PRIMARY KEY (message_id),
  CONSTRAINT preview_tasks_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages (id)
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT preview_tasks_author_id_fkey FOREIGN KEY (author_id) REFERENCES users (id)
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX preview_tasks_due_at_idx ON preview_tasks (due_at);
CREATE INDEX preview_tasks_server_id_idx ON preview_tasks (server_id);
CREATE INDEX preview_tasks_author_id_idx ON preview_tasks (author_id);

-- A deleted message has no cards, whatever deletes it.
CREATE FUNCTION messages_previews_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM message_previews WHERE message_id = NEW.id;
  DELETE FROM preview_tasks WHERE message_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER messages_previews_delete_update AFTER UPDATE OF deleted ON messages FOR EACH ROW
  WHEN (NEW.deleted AND NOT OLD.deleted) EXECUTE FUNCTION messages_previews_delete();
