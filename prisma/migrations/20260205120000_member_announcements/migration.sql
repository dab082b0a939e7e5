-- What is still to be announced of members whose picture has changed. A bot may be a member of 10,000 servers, whose
-- ordering keys nobody can hold at once, so the change notes them and each is announced by a transaction of its own.
CREATE TABLE member_announcements (
  user_id   uuid           NOT NULL,
  server_id uuid           NOT NULL,
  due_at    timestamptz(3) NOT NULL,
  CONSTRAINT member_announcements_pkey PRIMARY KEY (user_id, server_id)
);
CREATE INDEX member_announcements_due_at_idx ON member_announcements (due_at);
