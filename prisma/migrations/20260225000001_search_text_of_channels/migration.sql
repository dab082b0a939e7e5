-- Words of messages that have more than the English parser finds, as messages_search_idx has those of the others. That index
-- and the column `search` stay as they are: of a version before this one, too.
CREATE INDEX messages_search_text_idx ON messages
  USING gin (server_id, (ARRAY[
    timestamptz_send(date_bin('36 hours', created_at, timestamptz 'epoch')) || uuid_send(server_id),
    timestamptz_send(date_bin('36 hours', created_at, timestamptz 'epoch')) || uuid_send(channel_id)]),
    to_tsvector('english'::regconfig, search_text(content || coalesce(' ' || embed_texts, ''))))
  WITH (gin_pending_list_limit = 512)
  WHERE has_search_text(content || coalesce(' ' || embed_texts, '')) AND NOT deleted;
