-- What accounts want to hear of (docs/interface.md#26.1). An account without a row has the defaults.
CREATE TABLE notification_settings (
  user_id uuid NOT NULL,
  level text NOT NULL DEFAULT 'mentions',
  -- Local times as HH:MM; both or none.
  quiet_from text,
  quiet_to text,
  timezone text NOT NULL DEFAULT 'UTC',
  push_enabled boolean NOT NULL DEFAULT true,
  push_content boolean NOT NULL DEFAULT true,
  mail text NOT NULL DEFAULT 'off',
  CONSTRAINT notification_settings_pkey PRIMARY KEY (user_id),
  CONSTRAINT notification_settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT notification_settings_level_check CHECK (level IN ('all', 'mentions', 'nothing')),
  CONSTRAINT notification_settings_quiet_check CHECK (
    (quiet_from IS NULL) = (quiet_to IS NULL)
    AND quiet_from ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' AND quiet_to ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  CONSTRAINT notification_settings_mail_check CHECK (mail IN ('off', 'mentions', 'daily'))
);

-- The same for servers, channels (of direct messages, too) and threads. No foreign keys to these: an id may be set before and after
-- its time (26.1), and a target that many have set must not delete their rows with it.
CREATE TABLE notification_targets (
  user_id uuid NOT NULL,
  kind text NOT NULL,
  target_id uuid NOT NULL,
  -- Null: as what it is in.
  level text,
  -- 'infinity': for good.
  muted_until timestamptz(3),
  suppress_everyone boolean NOT NULL DEFAULT false,
  set_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- When it was last seen whether the target exists, and since when it does not.
  checked_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  missing_since timestamptz(3),
  CONSTRAINT notification_targets_pkey PRIMARY KEY (user_id, kind, target_id),
  CONSTRAINT notification_targets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT notification_targets_kind_check CHECK (kind IN ('server', 'channel', 'thread')),
  CONSTRAINT notification_targets_level_check CHECK (level IN ('all', 'mentions', 'nothing'))
);
-- Who has settings of their own for a server, a channel or a thread.
CREATE INDEX notification_targets_target_id_idx ON notification_targets (target_id);
CREATE INDEX notification_targets_checked_at_idx ON notification_targets (checked_at);
CREATE INDEX notification_targets_missing_since_idx ON notification_targets (missing_since) WHERE missing_since IS NOT NULL;
