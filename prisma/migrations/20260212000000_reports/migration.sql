-- What was reported (docs/interface.md#24.5), one row for all reports of one thing: without a server it concerns the
-- whole installation. Messages go in batches by age and with their channels, so the row names them without a foreign key
-- and keeps a copy of what they said.
CREATE TABLE reports (
  id          uuid           NOT NULL DEFAULT uuidv7(),
  server_id   uuid,
  target_type text           NOT NULL,
  target_id   uuid           NOT NULL,
  channel_id  uuid,
  author_id   uuid,
  content     text,
  attachments integer        NOT NULL DEFAULT 0,
  reporters   uuid[]         NOT NULL DEFAULT ARRAY[]::uuid[],
  reasons     text[]         NOT NULL DEFAULT ARRAY[]::text[],
  category    text           NOT NULL,
  source      text           NOT NULL,
  status      text           NOT NULL DEFAULT 'open',
  closed_by   uuid,
  note        text,
  created_at  timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  closed_at   timestamptz(3),
  CONSTRAINT reports_pkey PRIMARY KEY (id),
  CONSTRAINT reports_target_type_check CHECK (
    CASE WHEN server_id IS NULL THEN target_type IN ('dm_message', 'user', 'server')
      ELSE target_type IN ('message', 'member') END),
  CONSTRAINT reports_reporters_check CHECK (cardinality(reporters) <= 25 AND cardinality(reasons) <= 25),
  CONSTRAINT reports_category_check CHECK (category IN ('spam', 'harassment', 'illegal', 'other')),
  CONSTRAINT reports_source_check CHECK (source IN ('member', 'automod')),
  CONSTRAINT reports_status_check CHECK (
    status IN ('open', 'closed') AND (status = 'closed') = (closed_at IS NOT NULL)),
  CONSTRAINT reports_note_check CHECK (char_length(note) <= 1000),
  CONSTRAINT reports_author_id_fkey FOREIGN KEY (author_id) REFERENCES users (id)
    ON DELETE SET NULL ON UPDATE CASCADE,
  CONSTRAINT reports_closed_by_fkey FOREIGN KEY (closed_by) REFERENCES users (id)
    ON DELETE SET NULL ON UPDATE CASCADE
);
-- Reports of one thing at the same moment meet here.
CREATE UNIQUE INDEX reports_target_key ON reports (target_type, target_id, server_id) NULLS NOT DISTINCT;
CREATE INDEX reports_server_id_id_idx ON reports (server_id, id DESC);
CREATE INDEX reports_server_id_status_id_idx ON reports (server_id, status, id DESC);
CREATE INDEX reports_author_id_server_id_id_idx ON reports (author_id, server_id, id DESC);
CREATE INDEX reports_closed_by_idx ON reports (closed_by);
CREATE INDEX reports_reporters_idx ON reports USING gin (reporters);
CREATE INDEX reports_expiring_idx ON reports (closed_at) WHERE content IS NOT NULL;

-- What moderators note about a member (docs/interface.md#24.6), who need not be one any more.
CREATE TABLE member_notes (
  id         uuid           NOT NULL DEFAULT uuidv7(),
  server_id  uuid           NOT NULL,
  user_id    uuid           NOT NULL,
  author_id  uuid,
  text       text           NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT member_notes_pkey PRIMARY KEY (id),
  CONSTRAINT member_notes_text_check CHECK (char_length(text) BETWEEN 1 AND 2000),
  CONSTRAINT member_notes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id)
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT member_notes_author_id_fkey FOREIGN KEY (author_id) REFERENCES users (id)
    ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE INDEX member_notes_server_id_user_id_id_idx ON member_notes (server_id, user_id, id DESC);
CREATE INDEX member_notes_user_id_idx ON member_notes (user_id);
CREATE INDEX member_notes_author_id_idx ON member_notes (author_id);

-- Both go after their server in batches, as its members do.
CREATE TRIGGER member_notes_server_insert BEFORE INSERT ON member_notes FOR EACH ROW EXECUTE FUNCTION server_exists();
CREATE TRIGGER reports_server_insert BEFORE INSERT ON reports FOR EACH ROW WHEN (NEW.server_id IS NOT NULL)
  EXECUTE FUNCTION server_exists();
CREATE OR REPLACE TRIGGER servers_orphans_delete AFTER DELETE ON servers
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT
  EXECUTE FUNCTION leave_orphans('members', 'bans', 'timeouts', 'reports', 'member_notes');

-- What was done to one member of a server, newest first.
CREATE INDEX audit_log_entries_members_idx ON audit_log_entries (server_id, target_id, id DESC)
  WHERE action IN ('member_kick', 'member_ban', 'member_unban', 'member_timeout', 'member_timeout_remove');
CREATE INDEX automod_logs_user_id_server_id_id_idx ON automod_logs (user_id, server_id, id DESC);
DROP INDEX automod_logs_user_id_idx;

ALTER TABLE audit_log_entries
  DROP CONSTRAINT audit_log_entries_target_type_check,
  ADD CONSTRAINT audit_log_entries_target_type_check
    CHECK (target_type IN ('user', 'server', 'channel', 'role', 'invite', 'report'));
ALTER TABLE admin_log_entries
  DROP CONSTRAINT admin_log_entries_target_type_check,
  ADD CONSTRAINT admin_log_entries_target_type_check CHECK (target_type IN ('user', 'server', 'settings', 'report'));
