-- The name that is searched stands in the indexes that pages are read by: a page far down a search that matches much
-- skips tens of thousands of entries, and looked up each of them in the table. The new ones come first, so that there is
-- one for each order all the time.
CREATE INDEX user_directory_by_username_idx ON user_directory (username, user_id) INCLUDE (search_name);
CREATE INDEX user_directory_by_created_at_idx ON user_directory (created_at DESC, user_id DESC) INCLUDE (search_name);
CREATE INDEX user_directory_by_messages_idx ON user_directory (messages DESC, user_id DESC) INCLUDE (search_name);
DROP INDEX user_directory_username_user_id_idx;
DROP INDEX user_directory_created_at_user_id_idx;
DROP INDEX user_directory_messages_user_id_idx;
-- An index alone answers for pages of the table that were vacuumed since their last change.
ALTER TABLE user_directory SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01);
