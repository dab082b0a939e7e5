-- Mails about what was missed (docs/interface.md#26.3).
ALTER TABLE notification_settings
  -- The language that the mails are written in.
  ADD COLUMN mail_language text NOT NULL DEFAULT 'en',
  -- The address of the installation that the account used when it asked for mails, for their links.
  ADD COLUMN mail_url text,
  -- When the next mail is to be looked into: null for `mentions` while nothing was missed, for `daily` until it is planned.
  ADD COLUMN mail_due_at timestamptz(3),
  -- Until when a process has the mail to itself, and how often that mail was tried.
  ADD COLUMN mail_leased_until timestamptz(3),
  ADD COLUMN mail_attempts integer NOT NULL DEFAULT 0,
  ADD COLUMN mail_sent_at timestamptz(3),
  ADD CONSTRAINT notification_settings_mail_language_check CHECK (mail_language IN ('en', 'de', 'ar')),
  ADD CONSTRAINT notification_settings_mail_attempts_check CHECK (mail_attempts >= 0);
CREATE INDEX notification_settings_mail_due_idx ON notification_settings (mail_due_at) WHERE mail <> 'off';
CREATE INDEX notification_settings_mail_unplanned_idx ON notification_settings (user_id) WHERE mail = 'daily' AND mail_due_at IS NULL;

-- What the next mail to an account may tell: mentions and direct messages that it had not read when they were looked at. No foreign
-- key to the messages, of two tables, whose deletion must not wait for these rows: a mail asks again whether they are there.
CREATE TABLE missed_messages (
  user_id uuid NOT NULL,
  message_id uuid NOT NULL,
  is_direct boolean NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT missed_messages_pkey PRIMARY KEY (user_id, message_id),
  CONSTRAINT missed_messages_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON UPDATE CASCADE ON DELETE CASCADE
);

-- Up to which messages was looked for what was missed.
CREATE TABLE missed_message_marks (
  id integer NOT NULL DEFAULT 1,
  message_id uuid NOT NULL,
  dm_message_id uuid NOT NULL,
  CONSTRAINT missed_message_marks_pkey PRIMARY KEY (id),
  CONSTRAINT missed_message_marks_single_check CHECK (id = 1)
);
INSERT INTO missed_message_marks (message_id, dm_message_id) VALUES (uuidv7(), uuidv7());
