-- Words in one channel of direct messages, as in messages_search_idx. The words are not kept in a column as those of
-- channel messages are: adding it would rewrite the table, and nobody could read it meanwhile.
CREATE INDEX dm_messages_search_idx ON dm_messages USING gin (channel_id, to_tsvector('english'::regconfig, content))
  WITH (gin_pending_list_limit = 512);
