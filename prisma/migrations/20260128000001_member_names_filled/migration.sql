-- Those who joined before the triggers, up to 0: whoever joins meanwhile comes after them. Apart from the triggers'
-- migration, so that nobody waits for its locks while this reads.
UPDATE members m SET username_lower = lower(u.username), join_order = m.join_order + placed.number
  FROM users u,
    (SELECT server_id, user_id,
        (row_number() OVER joined - count(*) OVER (PARTITION BY server_id))::integer AS number
      FROM members WHERE username_lower = ''
      WINDOW joined AS (PARTITION BY server_id ORDER BY joined_at, user_id)) AS placed
  WHERE u.id = m.user_id AND placed.server_id = m.server_id AND placed.user_id = m.user_id;

CREATE INDEX members_username_idx ON members (server_id, (join_order >> 10), username_lower);
CREATE INDEX members_nickname_idx ON members (server_id, (join_order >> 10), (lower(nickname) COLLATE "C"))
  WHERE nickname IS NOT NULL;
