-- The successor of a refresh token that was used, encrypted with the token itself, for the minute in which the token may be
-- presented again. Processes of the version before leave it null.
ALTER TABLE refresh_sessions ADD COLUMN sealed_successor text;
CREATE INDEX refresh_sessions_used_at_idx ON refresh_sessions (used_at);
