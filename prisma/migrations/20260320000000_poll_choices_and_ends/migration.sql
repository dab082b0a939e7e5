-- Polls with several choices, and with an end. Processes of the version before know one choice and no end.
ALTER TABLE polls ADD COLUMN multiple INTEGER, ADD COLUMN ends_at TIMESTAMPTZ(3), ADD COLUMN end_due_at TIMESTAMPTZ(3);
ALTER TABLE polls ADD CONSTRAINT polls_multiple_check CHECK (multiple BETWEEN 1 AND 10);
CREATE INDEX polls_end_due_at_idx ON polls (end_due_at);
ALTER TABLE poll_votes ADD COLUMN also UUID[] NOT NULL DEFAULT ARRAY[]::UUID[];
ALTER TABLE inbox_items DROP CONSTRAINT inbox_items_kind_check;
ALTER TABLE inbox_items ADD CONSTRAINT inbox_items_kind_check
  CHECK (kind IN ('mention', 'reply', 'thread', 'reaction', 'invite', 'reminder', 'poll')) NOT VALID;
ALTER TABLE inbox_items VALIDATE CONSTRAINT inbox_items_kind_check;
