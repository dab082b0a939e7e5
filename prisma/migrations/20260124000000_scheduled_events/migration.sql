-- Scheduled events, each of one message. The coming ones of a server are read channel by channel, of those that the
-- reader may view, so the events of hidden channels cost nothing.
CREATE TABLE scheduled_events (
  id          uuid           NOT NULL,
  message_id  uuid           NOT NULL,
  channel_id  uuid           NOT NULL,
  name        text           NOT NULL,
  description text,
  starts_at   timestamptz(3) NOT NULL,
  created_by  uuid,
  created_at  timestamptz(3) NOT NULL,
  CONSTRAINT scheduled_events_pkey PRIMARY KEY (id),
  CONSTRAINT scheduled_events_name_check CHECK (char_length(name) BETWEEN 1 AND 200),
  CONSTRAINT scheduled_events_description_check CHECK (char_length(description) BETWEEN 1 AND 2000),
  CONSTRAINT scheduled_events_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages (id)
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT scheduled_events_created_by_fkey FOREIGN KEY (created_by) REFERENCES users (id)
    ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE UNIQUE INDEX scheduled_events_message_id_key ON scheduled_events (message_id);
CREATE INDEX scheduled_events_channel_id_starts_at_id_idx ON scheduled_events (channel_id, starts_at, id);
CREATE INDEX scheduled_events_created_by_idx ON scheduled_events (created_by);

-- A deleted message shows no event, and lists of coming events do not have to look at the messages.
CREATE FUNCTION messages_event_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM scheduled_events WHERE message_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER messages_event_delete_update AFTER UPDATE OF deleted ON messages FOR EACH ROW
  WHEN (NEW.deleted AND NOT OLD.deleted) EXECUTE FUNCTION messages_event_delete();
