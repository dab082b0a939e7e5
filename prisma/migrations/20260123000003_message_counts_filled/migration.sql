-- What was there before the triggers. Apart from their migration, so that nobody waits for its locks while this reads.
-- Messages that are counted as changes already are not counted twice: a statement sees both of one moment.
INSERT INTO user_directory (user_id, username, search_name, created_at, messages)
  SELECT u.id, u.username, lower(u.username), u.created_at, coalesce(stored.messages, 0) - coalesce(changed.messages, 0)
  FROM users u
  LEFT JOIN (SELECT author_id, count(*) AS messages FROM messages GROUP BY author_id) stored ON stored.author_id = u.id
  LEFT JOIN (SELECT author_id, sum(messages) AS messages FROM message_count_changes GROUP BY author_id) changed
    ON changed.author_id = u.id
  ON CONFLICT (user_id) DO UPDATE SET messages = user_directory.messages + excluded.messages;
INSERT INTO server_message_counts (server_id, messages)
  SELECT s.id, coalesce(stored.messages, 0) - coalesce(changed.messages, 0)
  FROM servers s
  LEFT JOIN (SELECT server_id, count(*) AS messages FROM messages GROUP BY server_id) stored ON stored.server_id = s.id
  LEFT JOIN (SELECT server_id, sum(messages) AS messages FROM message_count_changes GROUP BY server_id) changed
    ON changed.server_id = s.id
  ON CONFLICT (server_id) DO UPDATE SET messages = server_message_counts.messages + excluded.messages;
