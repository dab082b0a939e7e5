-- Mentions of roles and of the members who are connected.
ALTER TABLE roles ADD COLUMN mentionable boolean NOT NULL DEFAULT false;
ALTER TABLE messages
  ADD COLUMN mention_role_ids uuid[] NOT NULL DEFAULT ARRAY[]::uuid[],
  ADD COLUMN mention_here boolean NOT NULL DEFAULT false;

-- The users whom such a message mentions, as of its storing: of 10,000 holders at most 256 rows, each with the users of one last
-- byte of the id, so that a message with a large role is stored quickly, and one user is found by one look-up.
CREATE TABLE group_mentions (
  message_id uuid NOT NULL REFERENCES messages (id) ON UPDATE CASCADE ON DELETE CASCADE,
  bucket smallint NOT NULL,
  -- By a role, or by being connected.
  by_role boolean NOT NULL,
  user_ids uuid[] NOT NULL,
  PRIMARY KEY (message_id, bucket, by_role),
  CONSTRAINT group_mentions_bucket_check CHECK (bucket BETWEEN 0 AND 255)
);

-- The old index goes last: until then everything can be read. Statements of the version before can use the new one.
CREATE INDEX messages_all_mentions_idx ON messages (channel_id, created_at)
  WHERE listed AND (mention_everyone OR mention_user_ids <> ARRAY[]::uuid[]
    OR mention_here OR mention_role_ids <> ARRAY[]::uuid[]);
DROP INDEX messages_mentions_idx;
ALTER INDEX messages_all_mentions_idx RENAME TO messages_mentions_idx;
