-- Search reads the newest messages first, a span of time after the other, until it has as many matches as it counts. So the
-- indexes have each message under its server and under its channel, both together with the 36 hours in which it was sent. The
-- rows of a time stand together in the table, so whatever else a word is in is skipped. `server_id` stays for processes of
-- the version before.

-- The old indexes go last: until then everything can be read.
CREATE INDEX messages_search_newest_idx ON messages
  USING gin (server_id, (ARRAY[
    timestamptz_send(date_bin('36 hours', created_at, timestamptz 'epoch')) || uuid_send(server_id),
    timestamptz_send(date_bin('36 hours', created_at, timestamptz 'epoch')) || uuid_send(channel_id)]), search)
  WITH (gin_pending_list_limit = 512) WHERE NOT deleted;
CREATE INDEX messages_embed_search_newest_idx ON messages
  USING gin (server_id, (ARRAY[
    timestamptz_send(date_bin('36 hours', created_at, timestamptz 'epoch')) || uuid_send(server_id),
    timestamptz_send(date_bin('36 hours', created_at, timestamptz 'epoch')) || uuid_send(channel_id)]), to_tsvector('english'::regconfig, content || ' ' || embed_texts))
  WITH (fastupdate = off) WHERE embed_texts IS NOT NULL AND NOT deleted;
DROP INDEX messages_search_idx, messages_embed_search_idx;
ALTER INDEX messages_search_newest_idx RENAME TO messages_search_idx;
ALTER INDEX messages_embed_search_newest_idx RENAME TO messages_embed_search_idx;
