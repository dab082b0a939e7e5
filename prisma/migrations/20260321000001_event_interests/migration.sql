-- Scheduled events with an end, a place and a voice channel; accounts that are interested in them, whom pushes remind, and
-- the calendars of these accounts. Processes of the version before leave all of it alone. A deleted voice channel leaves its
-- id in the event, so that no list changes without an event.
ALTER TABLE scheduled_events
  ADD COLUMN ends_at TIMESTAMPTZ(3),
  ADD COLUMN place TEXT,
  ADD COLUMN voice_channel_id UUID,
  ADD COLUMN interested_count INTEGER,
  ADD COLUMN notice_due_at TIMESTAMPTZ(3),
  ADD COLUMN notice_id UUID,
  ADD CONSTRAINT scheduled_events_place_check CHECK (char_length(place) BETWEEN 1 AND 200),
  ADD CONSTRAINT scheduled_events_interested_count_check CHECK (interested_count >= 0);
CREATE INDEX scheduled_events_notice_due_at_idx ON scheduled_events (notice_due_at);
CREATE UNIQUE INDEX scheduled_events_notice_id_key ON scheduled_events (notice_id);

CREATE TABLE event_interests (
  event_id UUID NOT NULL,
  user_id  UUID NOT NULL,
  CONSTRAINT event_interests_pkey PRIMARY KEY (event_id, user_id),
  CONSTRAINT event_interests_event_id_fkey FOREIGN KEY (event_id) REFERENCES scheduled_events (id)
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT event_interests_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX event_interests_user_id_idx ON event_interests (user_id);

-- The count stays right whatever removes the rows: a request, the end of an account, the event itself.
CREATE FUNCTION event_interests_count() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE scheduled_events e
  SET interested_count = coalesce(e.interested_count, 0) + CASE TG_OP WHEN 'INSERT' THEN c.rows ELSE -c.rows END
  FROM (SELECT event_id, count(*)::integer AS rows FROM changed GROUP BY event_id) c WHERE e.id = c.event_id;
  RETURN NULL;
END $$;
CREATE TRIGGER event_interests_count_insert AFTER INSERT ON event_interests
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION event_interests_count();
CREATE TRIGGER event_interests_count_delete AFTER DELETE ON event_interests
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION event_interests_count();

CREATE TABLE calendars (
  user_id     UUID NOT NULL,
  secret_hash TEXT NOT NULL,
  CONSTRAINT calendars_pkey PRIMARY KEY (user_id),
  CONSTRAINT calendars_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX calendars_secret_hash_key ON calendars (secret_hash);
