-- Accounts can be read meanwhile, and none can be made: the version before knows nothing of mailboxes.
LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE;

-- Of accounts that have a mailbox together, the oldest is found by every spelling, each other one by its own.
UPDATE users u SET shares_mailbox = true
  FROM (SELECT id, row_number() OVER (PARTITION BY mailbox_of(email) ORDER BY created_at, id) AS number
    FROM users WHERE email IS NOT NULL) AS same
  WHERE same.id = u.id AND same.number > 1;

CREATE UNIQUE INDEX users_mailbox_key ON users (mailbox_of(email)) WHERE NOT shares_mailbox;
-- Of them an api tells when it starts.
CREATE INDEX users_shares_mailbox_idx ON users (username) WHERE shares_mailbox;

DO $$
DECLARE
  names text := (SELECT string_agg(username, ', ' ORDER BY username)
    FROM (SELECT username FROM users WHERE shares_mailbox ORDER BY username LIMIT 100) AS first);
BEGIN
  IF names IS NOT NULL THEN
    RAISE NOTICE 'These accounts have the mailbox of an older account, spelled otherwise: %', names;
  END IF;
END
$$;
