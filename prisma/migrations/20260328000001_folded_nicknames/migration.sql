-- Nicknames are found by their full case folding (docs/protocol/requests.md#1.3); they are stored in NFC.
CREATE INDEX members_folded_nickname_idx
  ON members (server_id, (join_order >> 10), (casefold(nickname COLLATE pg_unicode_fast) COLLATE "C")) WHERE nickname IS NOT NULL;
DROP INDEX members_nickname_idx;
