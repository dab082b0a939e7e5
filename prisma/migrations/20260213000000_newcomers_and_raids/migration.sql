-- What a server asks of newcomers, and whether it is under raid (docs/interface.md#24.7). A server has a row once
-- somebody has changed a setting or begun a raid by hand; without one it asks nothing.
CREATE TABLE server_safety (
  server_id               uuid    NOT NULL,
  min_account_age_minutes integer NOT NULL DEFAULT 0,
  min_membership_minutes  integer NOT NULL DEFAULT 0,
  require_verified_email  boolean NOT NULL DEFAULT false,
  rules                   text,
  rules_for_all           boolean NOT NULL DEFAULT false,
  rules_version           integer NOT NULL DEFAULT 0,
  rules_since             timestamptz(3),
  raid_shield             boolean NOT NULL DEFAULT false,
  raid_joins_per_minute   integer NOT NULL DEFAULT 60,
  raid_new_accounts_hours integer NOT NULL DEFAULT 24,
  raid_minutes            integer NOT NULL DEFAULT 30,
  raid_started_at         timestamptz(3),
  raid_until              timestamptz(3),
  raid_announced_until    timestamptz(3),
  CONSTRAINT server_safety_pkey PRIMARY KEY (server_id),
  CONSTRAINT server_safety_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers (id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT server_safety_min_account_age_minutes_check CHECK (min_account_age_minutes BETWEEN 0 AND 525600),
  CONSTRAINT server_safety_min_membership_minutes_check CHECK (min_membership_minutes BETWEEN 0 AND 525600),
  CONSTRAINT server_safety_rules_check CHECK (char_length(rules) BETWEEN 1 AND 4000),
  CONSTRAINT server_safety_rules_since_check CHECK ((rules IS NULL) = (rules_since IS NULL)),
  CONSTRAINT server_safety_raid_joins_per_minute_check CHECK (raid_joins_per_minute BETWEEN 1 AND 10000),
  CONSTRAINT server_safety_raid_new_accounts_hours_check CHECK (raid_new_accounts_hours BETWEEN 1 AND 8760),
  CONSTRAINT server_safety_raid_minutes_check CHECK (raid_minutes BETWEEN 1 AND 1440),
  CONSTRAINT server_safety_raid_check CHECK ((raid_started_at IS NULL) = (raid_until IS NULL))
);
-- The few raids whose end is still to be announced.
CREATE INDEX server_safety_raid_announced_until_idx ON server_safety (raid_announced_until)
  WHERE raid_announced_until IS NOT NULL;

-- Joins of young accounts in servers with the shield on, those that a raid refused, and all joins during a raid. A
-- member who leaves leaves no row in members, so joins are counted here. No foreign keys: rows go by their age.
CREATE TABLE raid_joins (
  server_id uuid           NOT NULL,
  joined_at timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  user_id   uuid           NOT NULL,
  refused   boolean        NOT NULL DEFAULT false,
  CONSTRAINT raid_joins_pkey PRIMARY KEY (server_id, joined_at, user_id)
);
CREATE INDEX raid_joins_joined_at_idx ON raid_joins (joined_at);

-- The version of the rules that a member has accepted.
ALTER TABLE members ADD COLUMN accepted_rules integer;
