-- Who reacted with an emoji is listed in the order of reacting (docs/interface.md#28.7).
CREATE INDEX reactions_message_id_emoji_created_at_user_id_idx ON reactions (message_id, emoji, created_at, user_id);
