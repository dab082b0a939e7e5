-- Needs PostgreSQL 18: uuidv7(). btree_gin lets one GIN index hold a server's id beside its messages' words.
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- The smallest UUIDv7 of a millisecond: turns "created at or after t" into a range of ids.
CREATE FUNCTION uuidv7_floor(at timestamptz) RETURNS uuid
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN encode(
    substring(int8send(floor(extract(epoch FROM at) * 1000)::bigint) FROM 3) || '\x70008000000000000000'::bytea, 'hex'
  )::uuid;

-- accounts

CREATE TABLE users (
  id            uuid           NOT NULL DEFAULT uuidv7(),
  username      text           NOT NULL,
  email         text,
  password_hash text,
  avatar_url    text,
  bio           text,
  pronouns      text,
  status        text           NOT NULL DEFAULT 'offline',
  custom_status text,
  activity      text,
  is_admin      boolean        NOT NULL DEFAULT false,
  created_at    timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT users_pkey PRIMARY KEY (id),
  -- Bots' generated names contain hyphens and are longer than 32.
  CONSTRAINT users_username_check CHECK (username ~ '^[A-Za-z0-9_-]{2,96}$'),
  CONSTRAINT users_status_check CHECK (status IN ('online', 'away', 'dnd', 'offline'))
);
CREATE UNIQUE INDEX users_username_key ON users (username);
CREATE UNIQUE INDEX users_email_key ON users (email);

CREATE TABLE refresh_sessions (
  id         uuid           NOT NULL DEFAULT uuidv7(),
  user_id    uuid           NOT NULL,
  family_id  uuid           NOT NULL,
  token_hash text           NOT NULL,
  used_at    timestamptz(3),
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT refresh_sessions_pkey PRIMARY KEY (id),
  CONSTRAINT refresh_sessions_token_hash_check CHECK (token_hash ~ '^[0-9a-f]{64}$'),
  CONSTRAINT refresh_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id)
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX refresh_sessions_token_hash_key ON refresh_sessions (token_hash);
CREATE INDEX refresh_sessions_user_id_created_at_idx ON refresh_sessions (user_id, created_at);
CREATE INDEX refresh_sessions_family_id_idx ON refresh_sessions (family_id);
CREATE INDEX refresh_sessions_expires_at_idx ON refresh_sessions (expires_at);

-- servers

CREATE TABLE servers (
  id           uuid           NOT NULL DEFAULT uuidv7(),
  name         text           NOT NULL,
  owner_id     uuid           NOT NULL,
  icon_url     text,
  is_public    boolean        NOT NULL DEFAULT false,
  member_count integer        NOT NULL DEFAULT 0,
  created_at   timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at   timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT servers_pkey PRIMARY KEY (id),
  CONSTRAINT servers_member_count_check CHECK (member_count >= 0),
  CONSTRAINT servers_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id)
    ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX servers_owner_id_idx ON servers (owner_id);
-- GET /servers/browse reads its page straight from here.
CREATE INDEX servers_browse_idx ON servers (member_count DESC, created_at DESC, id DESC) WHERE is_public;

CREATE TABLE members (
  server_id uuid           NOT NULL,
  user_id   uuid           NOT NULL,
  nickname  text,
  joined_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT members_pkey PRIMARY KEY (server_id, user_id),
  CONSTRAINT members_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers (id)
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id)
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX members_user_id_idx ON members (user_id);

-- Once per statement, whatever the number of rows. The servers are locked in one order, so that two statements that touch
-- several of them cannot deadlock.
CREATE FUNCTION members_count() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  sign integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  PERFORM FROM servers WHERE id IN (SELECT server_id FROM changed) ORDER BY id FOR NO KEY UPDATE;
  UPDATE servers SET member_count = member_count + sign * delta.members
    FROM (SELECT server_id, count(*)::integer AS members FROM changed GROUP BY server_id) AS delta
    WHERE servers.id = delta.server_id;
  RETURN NULL;
END $$;
CREATE TRIGGER members_count_insert AFTER INSERT ON members
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION members_count();
CREATE TRIGGER members_count_delete AFTER DELETE ON members
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION members_count();

-- channels and roles

CREATE TABLE channels (
  id         uuid           NOT NULL DEFAULT uuidv7(),
  server_id  uuid           NOT NULL,
  name       text           NOT NULL,
  type       text           NOT NULL DEFAULT 'text',
  position   integer        NOT NULL,
  category   text,
  topic      text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT channels_pkey PRIMARY KEY (id),
  CONSTRAINT channels_type_check CHECK (type IN ('text', 'voice')),
  CONSTRAINT channels_position_check CHECK (position >= 0),
  CONSTRAINT channels_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers (id)
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX channels_id_server_id_key ON channels (id, server_id);
CREATE INDEX channels_server_id_idx ON channels (server_id);

CREATE TABLE roles (
  id          uuid           NOT NULL DEFAULT uuidv7(),
  server_id   uuid           NOT NULL,
  name        text           NOT NULL,
  permissions integer        NOT NULL DEFAULT 0,
  color       text           NOT NULL DEFAULT '#95a5a6',
  position    integer        NOT NULL,
  created_at  timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT roles_pkey PRIMARY KEY (id),
  CONSTRAINT roles_permissions_check CHECK (permissions BETWEEN 0 AND 32767),
  CONSTRAINT roles_color_check CHECK (color ~ '^#[0-9A-Fa-f]{6}$'),
  CONSTRAINT roles_position_check CHECK (position >= 0),
  CONSTRAINT roles_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers (id)
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX roles_id_server_id_key ON roles (id, server_id);
CREATE INDEX roles_server_id_idx ON roles (server_id);

CREATE TABLE member_roles (
  server_id uuid NOT NULL,
  user_id   uuid NOT NULL,
  role_id   uuid NOT NULL,
  CONSTRAINT member_roles_pkey PRIMARY KEY (server_id, user_id, role_id),
  CONSTRAINT member_roles_server_id_user_id_fkey FOREIGN KEY (server_id, user_id) REFERENCES members (server_id, user_id)
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT member_roles_role_id_server_id_fkey FOREIGN KEY (role_id, server_id) REFERENCES roles (id, server_id)
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX member_roles_role_id_server_id_idx ON member_roles (role_id, server_id);

CREATE TABLE channel_overrides (
  id         uuid    NOT NULL DEFAULT uuidv7(),
  channel_id uuid    NOT NULL,
  role_id    uuid,
  user_id    uuid,
  allow      integer NOT NULL,
  deny       integer NOT NULL,
  CONSTRAINT channel_overrides_pkey PRIMARY KEY (id),
  CONSTRAINT channel_overrides_target_check CHECK (num_nonnulls(role_id, user_id) = 1),
  CONSTRAINT channel_overrides_allow_check CHECK (allow BETWEEN 0 AND 32767),
  CONSTRAINT channel_overrides_deny_check CHECK (deny BETWEEN 0 AND 32767),
  CONSTRAINT channel_overrides_overlap_check CHECK (allow & deny = 0),
  CONSTRAINT channel_overrides_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels (id)
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT channel_overrides_role_id_fkey FOREIGN KEY (role_id) REFERENCES roles (id)
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT channel_overrides_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id)
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX channel_overrides_channel_id_role_id_key ON channel_overrides (channel_id, role_id);
CREATE UNIQUE INDEX channel_overrides_channel_id_user_id_key ON channel_overrides (channel_id, user_id);
CREATE INDEX channel_overrides_role_id_idx ON channel_overrides (role_id);
CREATE INDEX channel_overrides_user_id_idx ON channel_overrides (user_id);

-- invites and custom emoji

CREATE TABLE invites (
  id         uuid           NOT NULL DEFAULT uuidv7(),
  server_id  uuid           NOT NULL,
  code       text           NOT NULL,
  created_by uuid,
  max_uses   integer,
  uses       integer        NOT NULL DEFAULT 0,
  expires_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT invites_pkey PRIMARY KEY (id),
  CONSTRAINT invites_code_check CHECK (code ~ '^[A-Za-z0-9]{8}$'),
  CONSTRAINT invites_max_uses_check CHECK (max_uses >= 1),
  CONSTRAINT invites_uses_check CHECK (uses >= 0 AND (max_uses IS NULL OR uses <= max_uses)),
  CONSTRAINT invites_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers (id)
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT invites_created_by_fkey FOREIGN KEY (created_by) REFERENCES users (id)
    ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE UNIQUE INDEX invites_code_key ON invites (code);
CREATE INDEX invites_server_id_idx ON invites (server_id);
CREATE INDEX invites_created_by_idx ON invites (created_by);

CREATE TABLE custom_emojis (
  id           uuid           NOT NULL DEFAULT uuidv7(),
  server_id    uuid           NOT NULL,
  name         text           NOT NULL,
  created_by   uuid           NOT NULL,
  content_type text           NOT NULL,
  file_size    integer        NOT NULL,
  created_at   timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT custom_emojis_pkey PRIMARY KEY (id),
  CONSTRAINT custom_emojis_name_check CHECK (name ~ '^[a-z0-9_-]{1,32}$'),
  CONSTRAINT custom_emojis_content_type_check
    CHECK (content_type IN ('image/jpeg', 'image/png', 'image/gif', 'image/webp')),
  CONSTRAINT custom_emojis_file_size_check CHECK (file_size BETWEEN 1 AND 262144),
  CONSTRAINT custom_emojis_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers (id)
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX custom_emojis_server_id_name_key ON custom_emojis (server_id, name);

-- messages

CREATE TABLE messages (
  id                 uuid           NOT NULL DEFAULT uuidv7(),
  channel_id         uuid           NOT NULL,
  server_id          uuid           NOT NULL,
  author_id          uuid,
  content            text           NOT NULL,
  reply_to           uuid,
  thread_id          uuid,
  thread_reply_count integer        NOT NULL DEFAULT 0,
  mention_user_ids   uuid[]         NOT NULL DEFAULT ARRAY[]::uuid[],
  mention_everyone   boolean        NOT NULL DEFAULT false,
  edited_at          timestamptz(3),
  deleted            boolean        NOT NULL DEFAULT false,
  pinned             boolean        NOT NULL DEFAULT false,
  pinned_by          uuid,
  pinned_at          timestamptz(3),
  -- What history, unread counts and mention counts see.
  listed             boolean        NOT NULL GENERATED ALWAYS AS (thread_id IS NULL AND NOT deleted) STORED,
  -- Taken from the id, so that the orders by id and by (created_at, id) are the same.
  created_at         timestamptz(3) NOT NULL GENERATED ALWAYS AS (uuid_extract_timestamp(id)) STORED,
  search             tsvector       GENERATED ALWAYS AS (to_tsvector('english'::regconfig, content)) STORED,
  CONSTRAINT messages_pkey PRIMARY KEY (id),
  CONSTRAINT messages_content_check CHECK (char_length(content) BETWEEN 1 AND 4000),
  CONSTRAINT messages_thread_reply_count_check CHECK (thread_reply_count >= 0),
  CONSTRAINT messages_pin_check CHECK (pinned = (pinned_at IS NOT NULL) AND (pinned OR pinned_by IS NULL)),
  -- One check for both: the server is the channel's, so no second foreign key is paid for on every insert.
  CONSTRAINT messages_channel_id_server_id_fkey FOREIGN KEY (channel_id, server_id) REFERENCES channels (id, server_id)
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT messages_author_id_fkey FOREIGN KEY (author_id) REFERENCES users (id)
    ON DELETE SET NULL ON UPDATE CASCADE,
  CONSTRAINT messages_pinned_by_fkey FOREIGN KEY (pinned_by) REFERENCES users (id)
    ON DELETE SET NULL ON UPDATE CASCADE,
  CONSTRAINT messages_reply_to_fkey FOREIGN KEY (reply_to) REFERENCES messages (id)
    ON DELETE SET NULL ON UPDATE CASCADE,
  CONSTRAINT messages_thread_id_fkey FOREIGN KEY (thread_id) REFERENCES messages (id)
    ON DELETE CASCADE ON UPDATE CASCADE
);
-- Every index here is paid for on each message sent, so each serves several questions or is partial. Pages are ordered by
-- (created_at, id), never by id alone: for that the planner prefers the primary key when a channel holds many messages, and
-- then reads everything that is newer than an archived channel's last one.
-- Channel history; unread counts without touching the table (listed, created_at > mark, author_id <> reader); the
-- deletion of a channel.
CREATE INDEX messages_history_idx ON messages (channel_id, listed, created_at DESC, id DESC) INCLUDE (author_id);
-- Mention counts: the few unread messages that mention anybody.
CREATE INDEX messages_mentions_idx ON messages (channel_id, created_at)
  WHERE listed AND (mention_everyone OR mention_user_ids <> ARRAY[]::uuid[]);
-- An author's latest messages: the duplicate and spam windows, a bot's log, the deletion of an account.
CREATE INDEX messages_author_idx ON messages (author_id, created_at DESC, id DESC);
-- A thread's page; like the next one also for the deletion of messages with their channel.
CREATE INDEX messages_thread_idx ON messages (thread_id, created_at, id) WHERE thread_id IS NOT NULL;
CREATE INDEX messages_reply_to_idx ON messages (reply_to) WHERE reply_to IS NOT NULL;
CREATE INDEX messages_pinned_idx ON messages (channel_id, pinned_at DESC, id DESC) WHERE pinned AND NOT deleted;
CREATE INDEX messages_pinned_by_idx ON messages (pinned_by) WHERE pinned_by IS NOT NULL;
-- Words in one server: GIN intersects the server's rows with the words' rows and starts from the rarest. New entries
-- gather in a list that one unlucky insert merges: at 512 kB that insert waits about 0.1 s, at the default of 4 MB 0.4 s.
CREATE INDEX messages_search_idx ON messages USING gin (server_id, search)
  WITH (gin_pending_list_limit = 512) WHERE NOT deleted;

-- Per row and only for replies, so that other messages pay nothing. A statement that inserts replies of several threads
-- must insert them ordered by thread_id: each locks its root, and one order cannot deadlock.
CREATE FUNCTION messages_count_replies() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  delta integer := CASE WHEN NEW.deleted THEN -1 ELSE 1 END;
BEGIN
  UPDATE messages SET thread_reply_count = thread_reply_count + delta WHERE id = NEW.thread_id;
  RETURN NULL;
END $$;
CREATE TRIGGER messages_count_replies_insert AFTER INSERT ON messages FOR EACH ROW
  WHEN (NEW.thread_id IS NOT NULL AND NOT NEW.deleted) EXECUTE FUNCTION messages_count_replies();
CREATE TRIGGER messages_count_replies_update AFTER UPDATE OF deleted ON messages FOR EACH ROW
  WHEN (NEW.thread_id IS NOT NULL AND OLD.deleted <> NEW.deleted) EXECUTE FUNCTION messages_count_replies();

CREATE TABLE reactions (
  message_id uuid           NOT NULL,
  emoji      text           NOT NULL,
  user_id    uuid           NOT NULL,
  created_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT reactions_pkey PRIMARY KEY (message_id, emoji, user_id),
  CONSTRAINT reactions_emoji_check CHECK (octet_length(emoji) BETWEEN 1 AND 64),
  CONSTRAINT reactions_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages (id)
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT reactions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id)
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX reactions_user_id_idx ON reactions (user_id);

CREATE TABLE polls (
  id         uuid NOT NULL DEFAULT uuidv7(),
  message_id uuid NOT NULL,
  question   text NOT NULL,
  CONSTRAINT polls_pkey PRIMARY KEY (id),
  CONSTRAINT polls_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages (id)
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX polls_message_id_key ON polls (message_id);

CREATE TABLE poll_options (
  id       uuid    NOT NULL DEFAULT uuidv7(),
  poll_id  uuid    NOT NULL,
  position integer NOT NULL,
  text     text    NOT NULL,
  CONSTRAINT poll_options_pkey PRIMARY KEY (id),
  CONSTRAINT poll_options_position_check CHECK (position BETWEEN 0 AND 9),
  CONSTRAINT poll_options_poll_id_fkey FOREIGN KEY (poll_id) REFERENCES polls (id)
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX poll_options_id_poll_id_key ON poll_options (id, poll_id);
CREATE UNIQUE INDEX poll_options_poll_id_position_key ON poll_options (poll_id, position);

CREATE TABLE poll_votes (
  poll_id   uuid NOT NULL,
  user_id   uuid NOT NULL,
  option_id uuid NOT NULL,
  CONSTRAINT poll_votes_pkey PRIMARY KEY (poll_id, user_id),
  CONSTRAINT poll_votes_option_id_poll_id_fkey FOREIGN KEY (option_id, poll_id) REFERENCES poll_options (id, poll_id)
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT poll_votes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id)
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX poll_votes_option_id_poll_id_idx ON poll_votes (option_id, poll_id);
CREATE INDEX poll_votes_user_id_idx ON poll_votes (user_id);

CREATE TABLE attachments (
  id          uuid           NOT NULL DEFAULT uuidv7(),
  message_id  uuid           NOT NULL,
  filename    text           NOT NULL,
  stored_name text           NOT NULL,
  file_size   integer        NOT NULL,
  mime_type   text           NOT NULL,
  width       integer,
  height      integer,
  created_at  timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT attachments_pkey PRIMARY KEY (id),
  CONSTRAINT attachments_filename_check CHECK (char_length(filename) BETWEEN 1 AND 255),
  CONSTRAINT attachments_stored_name_check CHECK (stored_name ~ '^[0-9a-f]{32}_[A-Za-z0-9._-]{1,128}$'),
  CONSTRAINT attachments_file_size_check CHECK (file_size BETWEEN 1 AND 52428800),
  CONSTRAINT attachments_dimensions_check CHECK ((width IS NULL) = (height IS NULL)),
  CONSTRAINT attachments_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages (id)
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX attachments_message_id_stored_name_key ON attachments (message_id, stored_name);

CREATE TABLE read_states (
  user_id      uuid           NOT NULL,
  channel_id   uuid           NOT NULL,
  last_read_at timestamptz(3) NOT NULL,
  CONSTRAINT read_states_pkey PRIMARY KEY (user_id, channel_id),
  CONSTRAINT read_states_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id)
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT read_states_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels (id)
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX read_states_channel_id_idx ON read_states (channel_id);

-- direct messages

CREATE TABLE dm_channels (
  id              uuid           NOT NULL DEFAULT uuidv7(),
  user_low        uuid           NOT NULL,
  user_high       uuid           NOT NULL,
  last_message_at timestamptz(3),
  created_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT dm_channels_pkey PRIMARY KEY (id),
  CONSTRAINT dm_channels_pair_check CHECK (user_low < user_high),
  CONSTRAINT dm_channels_user_low_fkey FOREIGN KEY (user_low) REFERENCES users (id)
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT dm_channels_user_high_fkey FOREIGN KEY (user_high) REFERENCES users (id)
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX dm_channels_user_low_user_high_key ON dm_channels (user_low, user_high);
CREATE INDEX dm_channels_user_high_idx ON dm_channels (user_high);

CREATE TABLE dm_messages (
  id         uuid           NOT NULL DEFAULT uuidv7(),
  channel_id uuid           NOT NULL,
  author_id  uuid,
  content    text           NOT NULL,
  edited_at  timestamptz(3),
  created_at timestamptz(3) NOT NULL GENERATED ALWAYS AS (uuid_extract_timestamp(id)) STORED,
  CONSTRAINT dm_messages_pkey PRIMARY KEY (id),
  CONSTRAINT dm_messages_content_check CHECK (char_length(content) BETWEEN 1 AND 4000),
  CONSTRAINT dm_messages_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES dm_channels (id)
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT dm_messages_author_id_fkey FOREIGN KEY (author_id) REFERENCES users (id)
    ON DELETE SET NULL ON UPDATE CASCADE
);
-- History and unread counts, as in messages.
CREATE INDEX dm_messages_history_idx ON dm_messages (channel_id, created_at DESC, id DESC) INCLUDE (author_id);
CREATE INDEX dm_messages_author_id_idx ON dm_messages (author_id);

CREATE TABLE dm_read_states (
  user_id      uuid           NOT NULL,
  channel_id   uuid           NOT NULL,
  last_read_at timestamptz(3) NOT NULL,
  CONSTRAINT dm_read_states_pkey PRIMARY KEY (user_id, channel_id),
  CONSTRAINT dm_read_states_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id)
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT dm_read_states_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES dm_channels (id)
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX dm_read_states_channel_id_idx ON dm_read_states (channel_id);

-- moderation

CREATE TABLE timeouts (
  server_id  uuid           NOT NULL,
  user_id    uuid           NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  reason     text,
  created_by uuid           NOT NULL,
  automatic  boolean        NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT timeouts_pkey PRIMARY KEY (server_id, user_id),
  CONSTRAINT timeouts_reason_check CHECK (char_length(reason) <= 512),
  CONSTRAINT timeouts_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers (id)
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT timeouts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id)
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX timeouts_user_id_idx ON timeouts (user_id);

CREATE TABLE bans (
  server_id  uuid           NOT NULL,
  user_id    uuid           NOT NULL,
  banned_by  uuid,
  reason     text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT bans_pkey PRIMARY KEY (server_id, user_id),
  CONSTRAINT bans_reason_check CHECK (char_length(reason) <= 512),
  CONSTRAINT bans_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers (id)
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT bans_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id)
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT bans_banned_by_fkey FOREIGN KEY (banned_by) REFERENCES users (id)
    ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE INDEX bans_user_id_idx ON bans (user_id);
CREATE INDEX bans_banned_by_idx ON bans (banned_by);

-- No CHECK on action: a failed audit write is dropped, so a new action that is not listed here would vanish in silence.
CREATE TABLE audit_log_entries (
  id          uuid           NOT NULL DEFAULT uuidv7(),
  server_id   uuid,
  actor_id    uuid,
  action      text           NOT NULL,
  target_type text,
  target_id   uuid,
  details     jsonb          NOT NULL DEFAULT '{}',
  created_at  timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT audit_log_entries_pkey PRIMARY KEY (id),
  CONSTRAINT audit_log_entries_target_type_check
    CHECK (target_type IN ('user', 'server', 'channel', 'role', 'invite')),
  CONSTRAINT audit_log_entries_details_check CHECK (jsonb_typeof(details) = 'object'),
  CONSTRAINT audit_log_entries_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers (id)
    ON DELETE SET NULL ON UPDATE CASCADE,
  CONSTRAINT audit_log_entries_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users (id)
    ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE INDEX audit_log_entries_server_id_created_at_id_idx
  ON audit_log_entries (server_id, created_at DESC, id DESC);
CREATE INDEX audit_log_entries_actor_id_server_id_created_at_id_idx
  ON audit_log_entries (actor_id, server_id, created_at DESC, id DESC);

-- auto-moderation

CREATE TABLE automod_configs (
  server_id           uuid           NOT NULL,
  enabled             boolean        NOT NULL DEFAULT false,
  spam_enabled        boolean        NOT NULL DEFAULT false,
  spam_max_messages   integer        NOT NULL DEFAULT 5,
  spam_window_secs    integer        NOT NULL DEFAULT 5,
  spam_action         text           NOT NULL DEFAULT 'delete',
  duplicate_enabled   boolean        NOT NULL DEFAULT false,
  word_filter_enabled boolean        NOT NULL DEFAULT false,
  word_filter_action  text           NOT NULL DEFAULT 'delete',
  timeout_minutes     integer        NOT NULL DEFAULT 10,
  updated_at          timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT automod_configs_pkey PRIMARY KEY (server_id),
  CONSTRAINT automod_configs_spam_max_messages_check CHECK (spam_max_messages BETWEEN 1 AND 50),
  CONSTRAINT automod_configs_spam_window_secs_check CHECK (spam_window_secs BETWEEN 1 AND 60),
  CONSTRAINT automod_configs_spam_action_check CHECK (spam_action IN ('delete', 'timeout', 'kick', 'ban')),
  CONSTRAINT automod_configs_word_filter_action_check CHECK (word_filter_action IN ('delete', 'timeout', 'kick', 'ban')),
  CONSTRAINT automod_configs_timeout_minutes_check CHECK (timeout_minutes BETWEEN 1 AND 10080),
  CONSTRAINT automod_configs_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers (id)
    ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE automod_words (
  id         uuid           NOT NULL DEFAULT uuidv7(),
  server_id  uuid           NOT NULL,
  word       text           NOT NULL,
  created_by uuid,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT automod_words_pkey PRIMARY KEY (id),
  CONSTRAINT automod_words_word_check CHECK (char_length(word) BETWEEN 1 AND 100),
  CONSTRAINT automod_words_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers (id)
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT automod_words_created_by_fkey FOREIGN KEY (created_by) REFERENCES users (id)
    ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE UNIQUE INDEX automod_words_server_id_word_key ON automod_words (server_id, word);
CREATE INDEX automod_words_created_by_idx ON automod_words (created_by);

CREATE TABLE automod_logs (
  id              uuid           NOT NULL DEFAULT uuidv7(),
  server_id       uuid           NOT NULL,
  channel_id      uuid,
  user_id         uuid,
  username        text           NOT NULL,
  rule_type       text           NOT NULL,
  action_taken    text           NOT NULL,
  message_content text           NOT NULL,
  matched_term    text,
  message_id      uuid,
  created_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT automod_logs_pkey PRIMARY KEY (id),
  CONSTRAINT automod_logs_rule_type_check CHECK (rule_type IN ('spam', 'duplicate', 'word_filter')),
  CONSTRAINT automod_logs_action_taken_check CHECK (action_taken IN ('delete', 'timeout', 'kick', 'ban')),
  CONSTRAINT automod_logs_matched_term_check CHECK (rule_type = 'word_filter' OR matched_term IS NULL),
  CONSTRAINT automod_logs_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers (id)
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT automod_logs_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels (id)
    ON DELETE SET NULL ON UPDATE CASCADE,
  CONSTRAINT automod_logs_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id)
    ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE UNIQUE INDEX automod_logs_message_id_key ON automod_logs (message_id);
CREATE INDEX automod_logs_server_id_created_at_id_idx ON automod_logs (server_id, created_at DESC, id DESC);
CREATE INDEX automod_logs_channel_id_idx ON automod_logs (channel_id);
CREATE INDEX automod_logs_user_id_idx ON automod_logs (user_id);

-- bots

CREATE TABLE bots (
  id          uuid           NOT NULL DEFAULT uuidv7(),
  user_id     uuid           NOT NULL,
  name        text           NOT NULL,
  description text,
  created_by  uuid,
  token_hash  text           NOT NULL,
  revoked_at  timestamptz(3),
  created_at  timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT bots_pkey PRIMARY KEY (id),
  CONSTRAINT bots_token_hash_check CHECK (token_hash ~ '^[0-9a-f]{64}$'),
  CONSTRAINT bots_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id)
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT bots_created_by_fkey FOREIGN KEY (created_by) REFERENCES users (id)
    ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE UNIQUE INDEX bots_user_id_key ON bots (user_id);
CREATE UNIQUE INDEX bots_token_hash_key ON bots (token_hash);
CREATE INDEX bots_created_by_idx ON bots (created_by);

-- webhooks

CREATE TABLE webhooks (
  id                uuid           NOT NULL DEFAULT uuidv7(),
  server_id         uuid           NOT NULL,
  created_by        uuid           NOT NULL,
  name              text           NOT NULL,
  url               text           NOT NULL,
  event_types       text[]         NOT NULL,
  secret            text           NOT NULL,
  enabled           boolean        NOT NULL DEFAULT true,
  delivery_failures integer        NOT NULL DEFAULT 0,
  last_used_at      timestamptz(3),
  created_at        timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at        timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT webhooks_pkey PRIMARY KEY (id),
  CONSTRAINT webhooks_event_types_check CHECK (
    cardinality(event_types) > 0 AND event_types <@ ARRAY[
      'message.created', 'message.updated', 'message.deleted', 'member.joined', 'member.left'
    ]
  ),
  CONSTRAINT webhooks_secret_check CHECK (secret ~ '^[0-9a-f]{64}$'),
  CONSTRAINT webhooks_delivery_failures_check CHECK (delivery_failures >= 0),
  CONSTRAINT webhooks_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers (id)
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX webhooks_server_id_idx ON webhooks (server_id);

CREATE TABLE webhook_deliveries (
  id              uuid           NOT NULL DEFAULT uuidv7(),
  webhook_id      uuid           NOT NULL,
  event           text           NOT NULL,
  body            text           NOT NULL,
  status          text           NOT NULL DEFAULT 'pending',
  attempts        integer        NOT NULL DEFAULT 0,
  response_status integer,
  duration_ms     integer,
  error           text,
  created_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  finished_at     timestamptz(3),
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_deliveries_status_check CHECK (status IN ('pending', 'delivered', 'failed')),
  CONSTRAINT webhook_deliveries_attempts_check CHECK (attempts BETWEEN 0 AND 3),
  CONSTRAINT webhook_deliveries_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks (id)
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX webhook_deliveries_webhook_id_created_at_id_idx
  ON webhook_deliveries (webhook_id, created_at DESC, id DESC);

-- outbox

-- Ids are handed out before the commit, so a smaller id may become visible after a larger one. Rows live for a moment:
-- vacuum by number of dead rows, not by a share of a table that is nearly empty.
CREATE TABLE outbox (
  id         uuid           NOT NULL DEFAULT uuidv7(),
  subject    text           NOT NULL,
  payload    text           NOT NULL,
  headers    jsonb,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT outbox_pkey PRIMARY KEY (id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
