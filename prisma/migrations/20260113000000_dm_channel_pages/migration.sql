-- The account whose number of new channels per day this one counts for: whoever opened it, for a bot its owner. Null for
-- channels from before. It outlives the account and is no foreign key.
ALTER TABLE dm_channels ADD COLUMN opened_by uuid;
CREATE INDEX dm_channels_opened_by_created_at_idx ON dm_channels (opened_by, created_at DESC);

-- A user's channels by their last message, each half of the pairs in the order of the list: the newest are read without
-- the others. Never-used ones (no last message) stand together, the newest first.
CREATE INDEX dm_channels_user_low_last_message_at_created_at_id_idx
  ON dm_channels (user_low, last_message_at DESC, created_at DESC, id DESC);
CREATE INDEX dm_channels_user_high_last_message_at_created_at_id_idx
  ON dm_channels (user_high, last_message_at DESC, created_at DESC, id DESC);
DROP INDEX dm_channels_user_high_idx;
