-- What people want to be reminded of. A row goes when its time has come: then it is an item of the inbox. The message, of a channel
-- or a direct message, may be gone.
CREATE TABLE reminders (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  user_id uuid NOT NULL REFERENCES users (id) ON UPDATE CASCADE ON DELETE CASCADE,
  message_id uuid,
  text text CHECK (length(text) BETWEEN 1 AND 500),
  due_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CHECK (message_id IS NOT NULL OR text IS NOT NULL)
);
CREATE INDEX reminders_user_id_idx ON reminders (user_id);
CREATE INDEX reminders_due_at_idx ON reminders (due_at);

ALTER TABLE inbox_items ADD COLUMN reminder_id uuid, ADD COLUMN text text,
  ADD CONSTRAINT inbox_items_reminder_check CHECK ((reminder_id IS NOT NULL) = (kind = 'reminder'));
