-- The list of a server's bans is read in pieces, newest first.
CREATE INDEX bans_server_id_created_at_user_id_idx ON bans (server_id, created_at DESC, user_id DESC);
