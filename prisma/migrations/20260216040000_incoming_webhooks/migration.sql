-- Accounts of incoming webhooks (docs/interface.md#25.5): the authors of what is posted to one. They stay as long as
-- their messages, also when the webhook is deleted.
ALTER TABLE users ADD COLUMN is_webhook boolean NOT NULL DEFAULT false;
CREATE INDEX users_is_webhook_idx ON users (id) WHERE is_webhook;

CREATE TABLE incoming_webhooks (
  id         uuid           NOT NULL DEFAULT uuidv7(),
  server_id  uuid           NOT NULL,
  channel_id uuid           NOT NULL,
  user_id    uuid           NOT NULL,
  created_by uuid,
  name       text           NOT NULL,
  avatar_url text,
  token_hash text           NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT incoming_webhooks_pkey PRIMARY KEY (id),
  CONSTRAINT incoming_webhooks_name_check CHECK (char_length(name) BETWEEN 1 AND 80),
  CONSTRAINT incoming_webhooks_token_hash_check CHECK (token_hash ~ '^[0-9a-f]{64}$'),
  CONSTRAINT incoming_webhooks_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers (id)
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT incoming_webhooks_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels (id)
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT incoming_webhooks_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id)
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT incoming_webhooks_created_by_fkey FOREIGN KEY (created_by) REFERENCES users (id)
    ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE UNIQUE INDEX incoming_webhooks_user_id_key ON incoming_webhooks (user_id);
CREATE INDEX incoming_webhooks_server_id_idx ON incoming_webhooks (server_id);
CREATE INDEX incoming_webhooks_channel_id_idx ON incoming_webhooks (channel_id);
CREATE INDEX incoming_webhooks_created_by_idx ON incoming_webhooks (created_by);

-- The name and picture that a message was sent under, which a post may choose. Null for ordinary messages.
ALTER TABLE messages ADD COLUMN webhook jsonb;

-- What administrators list and count are people and bots.
CREATE OR REPLACE FUNCTION users_directory() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT NEW.is_webhook THEN
    INSERT INTO user_directory (user_id, username, search_name, created_at)
      VALUES (NEW.id, NEW.username, lower(NEW.username), NEW.created_at);
  END IF;
  RETURN NULL;
END $$;

ALTER TABLE audit_log_entries
  DROP CONSTRAINT audit_log_entries_target_type_check,
  ADD CONSTRAINT audit_log_entries_target_type_check
    CHECK (target_type IN ('user', 'server', 'channel', 'role', 'invite', 'report', 'incoming_webhook'));
