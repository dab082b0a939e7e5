-- People of archives stand in no directory; searches find them by the names that they write under (docs/protocol/search.md#35.1).
CREATE INDEX users_imported_username_idx ON users (lower(username)) WHERE imported;
CREATE INDEX users_imported_display_name_idx
  ON users ((casefold(display_name COLLATE pg_unicode_fast) COLLATE "C")) WHERE imported AND display_name IS NOT NULL;
