-- The few administrators: how many remain is counted at each change of them.
CREATE INDEX users_admins_idx ON users (id) WHERE is_admin OR admin_by_setting;

-- One row: the settings of the whole installation.
CREATE TABLE instance_settings (
  id                smallint       NOT NULL DEFAULT 1,
  registration_mode text           NOT NULL DEFAULT 'open',
  updated_at        timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_by        uuid,
  CONSTRAINT instance_settings_pkey PRIMARY KEY (id),
  CONSTRAINT instance_settings_id_check CHECK (id = 1),
  CONSTRAINT instance_settings_registration_mode_check
    CHECK (registration_mode IN ('open', 'invite_only', 'closed')),
  CONSTRAINT instance_settings_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES users (id)
    ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE INDEX instance_settings_updated_by_idx ON instance_settings (updated_by);
INSERT INTO instance_settings DEFAULT VALUES;

-- What administrators did. An entry outlives the administrator and its target.
CREATE TABLE admin_log_entries (
  id          uuid           NOT NULL DEFAULT uuidv7(),
  admin_id    uuid,
  action      text           NOT NULL,
  target_type text           NOT NULL,
  target_id   uuid,
  details     jsonb          NOT NULL DEFAULT '{}',
  created_at  timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT admin_log_entries_pkey PRIMARY KEY (id),
  CONSTRAINT admin_log_entries_target_type_check CHECK (target_type IN ('user', 'server', 'settings')),
  CONSTRAINT admin_log_entries_details_check CHECK (jsonb_typeof(details) = 'object'),
  CONSTRAINT admin_log_entries_admin_id_fkey FOREIGN KEY (admin_id) REFERENCES users (id)
    ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE INDEX admin_log_entries_created_at_id_idx ON admin_log_entries (created_at DESC, id DESC);
CREATE INDEX admin_log_entries_admin_id_idx ON admin_log_entries (admin_id);
