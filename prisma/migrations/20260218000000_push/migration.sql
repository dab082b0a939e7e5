-- Web push (docs/interface.md#26.2).

-- The key pair (VAPID, RFC 8292) by which push services recognise this installation: one row at most.
CREATE TABLE push_keys (
  id smallint NOT NULL DEFAULT 1,
  -- Both base64url: the point of the curve, uncompressed, and the scalar.
  public_key text NOT NULL,
  private_key text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT push_keys_pkey PRIMARY KEY (id),
  CONSTRAINT push_keys_id_check CHECK (id = 1)
);

-- The devices of accounts.
CREATE TABLE push_subscriptions (
  id uuid NOT NULL DEFAULT uuidv7(),
  user_id uuid NOT NULL,
  endpoint text NOT NULL,
  -- base64url.
  p256dh text NOT NULL,
  auth text NOT NULL,
  label text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- When the push service last took a push.
  last_used_at timestamptz(3),
  -- Since when it takes none, and until when it is left alone.
  failing_since timestamptz(3),
  retry_at timestamptz(3),
  -- The dispatcher that sends to it, and until when nobody else does: one push of a device at a time.
  sender uuid,
  busy_until timestamptz(3),
  CONSTRAINT push_subscriptions_pkey PRIMARY KEY (id),
  CONSTRAINT push_subscriptions_endpoint_key UNIQUE (endpoint),
  -- What an index takes.
  CONSTRAINT push_subscriptions_endpoint_check CHECK (octet_length(endpoint) <= 2048),
  CONSTRAINT push_subscriptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX push_subscriptions_user_id_idx ON push_subscriptions (user_id);

-- The messages that devices are to be told of, each once: a row stays for as long as its event may be read again. Without foreign keys,
-- so that no deletion has to look for rows here: what belongs to a device or message that is gone is expired with the others.
CREATE TABLE pushes (
  subscription_id uuid NOT NULL,
  message_id uuid NOT NULL,
  channel_id uuid NOT NULL,
  -- Null in direct messages.
  server_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- When it is to be sent; null once it was, or is no longer to be.
  due_at timestamptz(3),
  failures smallint NOT NULL DEFAULT 0,
  CONSTRAINT pushes_pkey PRIMARY KEY (subscription_id, message_id)
);
CREATE INDEX pushes_due_at_idx ON pushes (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX pushes_created_at_idx ON pushes (created_at);

-- The channels of which a device got a push that was not taken back.
CREATE TABLE pushed_channels (
  subscription_id uuid NOT NULL,
  channel_id uuid NOT NULL,
  pushed_at timestamptz(3) NOT NULL,
  -- The time of the newest message that was pushed.
  message_at timestamptz(3) NOT NULL,
  -- When the device is to be told that the channel was read.
  read_due_at timestamptz(3),
  failures smallint NOT NULL DEFAULT 0,
  CONSTRAINT pushed_channels_pkey PRIMARY KEY (subscription_id, channel_id)
);
CREATE INDEX pushed_channels_read_due_at_idx ON pushed_channels (read_due_at) WHERE read_due_at IS NOT NULL;
CREATE INDEX pushed_channels_pushed_at_idx ON pushed_channels (pushed_at);
-- Who hears all messages by default: looked up for every message of their servers.
CREATE INDEX notification_settings_all_idx ON notification_settings (user_id) WHERE level = 'all';
