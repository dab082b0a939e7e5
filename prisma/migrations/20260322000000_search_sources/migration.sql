-- Rows that a filter of the search asks for and few messages have, by the ids of their messages, that is by time. Other messages have
-- no entry, so they cost nothing to write.
CREATE INDEX messages_embeds_idx ON messages (id) WHERE embeds IS NOT NULL;
CREATE INDEX messages_webhook_idx ON messages (id) WHERE webhook IS NOT NULL;
CREATE INDEX messages_edited_idx ON messages (id) WHERE edited_at IS NOT NULL;
CREATE INDEX attachments_video_idx ON attachments (message_id) WHERE mime_type LIKE 'video/%';
CREATE INDEX attachments_audio_idx ON attachments (message_id) WHERE mime_type LIKE 'audio/%';
