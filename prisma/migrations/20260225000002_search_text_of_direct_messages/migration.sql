-- The index of before stays for processes of the version before.
CREATE INDEX dm_messages_search_text_idx ON dm_messages
  USING gin (channel_id, to_tsvector('english'::regconfig, search_text(content)))
  WITH (gin_pending_list_limit = 512);
