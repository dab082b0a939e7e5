-- Archives of other services (docs/protocol/moving.md#32): what is uploaded, what was read from it, and what it became.

-- People of an archive: accounts without log-in, which are listed and counted nowhere until somebody claims them.
ALTER TABLE users ADD COLUMN imported boolean NOT NULL DEFAULT false;
CREATE OR REPLACE FUNCTION users_directory() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT NEW.is_webhook AND NOT NEW.imported THEN
    INSERT INTO user_directory (user_id, username, search_name, created_at)
      VALUES (NEW.id, NEW.username, lower(NEW.username), NEW.created_at);
  END IF;
  RETURN NULL;
END $$;

ALTER TABLE admin_log_entries
  DROP CONSTRAINT admin_log_entries_target_type_check,
  ADD CONSTRAINT admin_log_entries_target_type_check CHECK (target_type IN ('user', 'server', 'settings', 'report', 'import'));

CREATE TABLE imports (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  state text NOT NULL CHECK (state IN
    ('receiving', 'reading', 'ready', 'running', 'paused', 'done', 'failed', 'undoing', 'undone')),
  -- Null until it is recognised.
  source text CHECK (source IN ('discord', 'slack', 'mattermost', 'rocketchat', 'zulip', 'parley')),
  filename text NOT NULL CHECK (length(filename) BETWEEN 1 AND 255),
  size bigint NOT NULL CHECK (size > 0),
  -- The source and the first server's id there: external ids are unique in it. Null until the archive is read.
  workspace text,
  report jsonb,
  options jsonb,
  messages integer NOT NULL DEFAULT 0,
  messages_of integer NOT NULL DEFAULT 0,
  files integer NOT NULL DEFAULT 0,
  files_of integer NOT NULL DEFAULT 0,
  -- Behind the last whole batch; null before the first.
  position jsonb,
  server_id uuid,
  created_by uuid REFERENCES users (id) ON UPDATE CASCADE ON DELETE SET NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  finished_at timestamptz(3),
  error text,
  -- Processes that died at it since its last whole batch.
  attempts smallint NOT NULL DEFAULT 0,
  -- The process that is at it, and until when it is taken for alive.
  lease uuid,
  leased_until timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX imports_created_by_idx ON imports (created_by);

CREATE TABLE import_parts (
  import_id uuid NOT NULL REFERENCES imports (id) ON UPDATE CASCADE ON DELETE CASCADE,
  number integer NOT NULL CHECK (number >= 0),
  upload_id uuid NOT NULL,
  size integer NOT NULL CHECK (size > 0),
  PRIMARY KEY (import_id, number)
);

-- What the archive has, until the import has ended: counts, duplicates and what is missing are questions to it.
CREATE TABLE import_records (
  import_id uuid NOT NULL REFERENCES imports (id) ON UPDATE CASCADE ON DELETE CASCADE,
  number bigint NOT NULL,
  kind text NOT NULL,
  external_id text NOT NULL,
  server text,
  channel text,
  at bigint,
  -- Among records of one channel and millisecond: the number of the first form of the record.
  place bigint NOT NULL,
  thread text,
  reply_to text,
  author text,
  version bigint NOT NULL DEFAULT 0,
  -- Messages that it becomes.
  parts integer NOT NULL DEFAULT 1,
  -- Files that come with it, and their bytes.
  files integer NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0,
  data json NOT NULL,
  PRIMARY KEY (import_id, number)
);
CREATE INDEX import_records_external_id_idx ON import_records (import_id, kind, external_id);
CREATE INDEX import_records_order_idx ON import_records (import_id, channel, (thread IS NOT NULL), at, place)
  WHERE kind = 'message';

-- What every record of every archive has become. Rows outlive the import, so that a newer archive adds only what is missing.
CREATE TABLE import_items (
  workspace text NOT NULL,
  kind text NOT NULL,
  external_id text NOT NULL,
  target_id uuid NOT NULL,
  import_id uuid NOT NULL,
  -- Of the text that was stored: another one was changed since.
  digest bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace, kind, external_id)
);
CREATE INDEX import_items_import_id_idx ON import_items (import_id, kind, target_id);

CREATE TABLE import_people (
  id uuid PRIMARY KEY REFERENCES users (id) ON UPDATE CASCADE ON DELETE CASCADE,
  workspace text NOT NULL,
  external_id text NOT NULL,
  name text NOT NULL,
  email text,
  email_verified boolean NOT NULL DEFAULT false,
  is_bot boolean NOT NULL DEFAULT false,
  deleted boolean NOT NULL DEFAULT false,
  messages integer NOT NULL DEFAULT 0,
  -- Roles that the person had, to be given to the claiming account when it is a member.
  role_ids uuid[] NOT NULL DEFAULT ARRAY[]::uuid[],
  claimed_by uuid REFERENCES users (id) ON UPDATE CASCADE ON DELETE SET NULL,
  -- False while messages of the person are still to be given to the claiming account.
  is_moved boolean NOT NULL DEFAULT true,
  -- SHA-256 of the code, lower-case hex.
  code_hash text CHECK (code_hash ~ '^[0-9a-f]{64}$'),
  code_expires_at timestamptz(3),
  CONSTRAINT import_people_code_check CHECK ((code_hash IS NULL) = (code_expires_at IS NULL))
);
CREATE UNIQUE INDEX import_people_workspace_external_id_key ON import_people (workspace, external_id);
CREATE UNIQUE INDEX import_people_code_hash_key ON import_people (code_hash);
CREATE INDEX import_people_claimed_by_idx ON import_people (claimed_by);
CREATE INDEX import_people_unmoved_idx ON import_people (id) WHERE NOT is_moved;
CREATE INDEX import_people_roles_idx ON import_people (claimed_by) WHERE claimed_by IS NOT NULL AND role_ids <> ARRAY[]::uuid[];
CREATE INDEX import_people_email_idx ON import_people (mailbox_of(email)) WHERE claimed_by IS NULL AND email IS NOT NULL;

-- Messages that mention people of archives: no index of messages finds them.
CREATE TABLE import_mentions (
  person_id uuid NOT NULL REFERENCES import_people (id) ON UPDATE CASCADE ON DELETE CASCADE,
  message_id uuid NOT NULL,
  PRIMARY KEY (person_id, message_id)
);

-- Who verifies the address that a person had there has the messages at once.
CREATE FUNCTION users_claim_people() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE import_people SET claimed_by = NEW.id, is_moved = false
    WHERE claimed_by IS NULL AND email_verified AND NOT is_bot AND mailbox_of(email) = mailbox_of(NEW.email);
  RETURN NULL;
END $$;
CREATE TRIGGER users_claim_people_insert AFTER INSERT ON users FOR EACH ROW
  WHEN (NEW.email_verified_at IS NOT NULL AND NOT NEW.shares_mailbox) EXECUTE FUNCTION users_claim_people();
CREATE TRIGGER users_claim_people_update AFTER UPDATE OF email_verified_at, email ON users FOR EACH ROW
  WHEN (NEW.email_verified_at IS NOT NULL AND NOT NEW.shares_mailbox) EXECUTE FUNCTION users_claim_people();
