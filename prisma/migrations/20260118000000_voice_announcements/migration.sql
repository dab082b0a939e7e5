-- What clients were told of voice and have not been told the end of. Voice states live in Redis alone; when it loses them,
-- these rows say whom clients still see. Written with the events, under the outbox's lock of the channel. No foreign keys:
-- the end of a state is told after its channel, server or user is gone, too.
CREATE TABLE voice_announcements (
  channel_id uuid NOT NULL,
  user_id    uuid NOT NULL,
  kind       text NOT NULL,
  server_id  uuid NOT NULL,
  username   text,
  CONSTRAINT voice_announcements_pkey PRIMARY KEY (channel_id, user_id, kind),
  CONSTRAINT voice_announcements_kind_check CHECK (kind IN ('go_live', 'voice')),
  CONSTRAINT voice_announcements_username_check CHECK ((username IS NOT NULL) = (kind = 'voice'))
);
