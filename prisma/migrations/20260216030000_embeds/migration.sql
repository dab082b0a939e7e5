-- What apps put into messages beside their text (docs/interface.md#25.4). All null for ordinary messages, which costs
-- nothing; no CHECK, because that would be paid for on each of them.
ALTER TABLE messages
  ADD COLUMN embeds      jsonb,
  ADD COLUMN components  jsonb,
  -- the texts of both, for search
  ADD COLUMN embed_texts text;

-- The words of such messages are not kept in a column as those of ordinary ones: a column would rewrite the table.
CREATE INDEX messages_embed_search_idx ON messages
  USING gin (server_id, to_tsvector('english'::regconfig, content || ' ' || embed_texts)) WITH (fastupdate = off)
  WHERE embed_texts IS NOT NULL AND NOT deleted;
