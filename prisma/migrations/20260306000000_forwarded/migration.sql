-- The message that a message forwards, as it was then, and its files, which are copies (docs/protocol/later.md#33.4). The version before
-- shows such a message without it, and lists the files among those of the message.
ALTER TABLE messages ADD COLUMN forwarded jsonb;
ALTER TABLE dm_messages ADD COLUMN forwarded jsonb;
ALTER TABLE attachments ADD COLUMN forwarded boolean NOT NULL DEFAULT false;
ALTER TABLE dm_attachments ADD COLUMN forwarded boolean NOT NULL DEFAULT false;
