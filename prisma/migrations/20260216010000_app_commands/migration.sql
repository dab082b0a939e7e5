-- What a bot shows to those who may add it (docs/interface.md#25.1); null until its creator sets one of them.
ALTER TABLE bots ADD COLUMN is_public boolean, ADD COLUMN requested_permissions integer,
  ADD CONSTRAINT bots_requested_permissions_check CHECK (requested_permissions BETWEEN 0 AND 32767);

-- Commands of bots (docs/interface.md#25.2), in the order in which the bot listed them. A revoked bot has none.
CREATE TABLE app_commands (
  id                  uuid    NOT NULL DEFAULT uuidv7(),
  bot_id              uuid    NOT NULL,
  position            integer NOT NULL,
  name                text    NOT NULL,
  description         text    NOT NULL,
  context             text    NOT NULL,
  options             jsonb   NOT NULL,
  default_permissions integer,
  CONSTRAINT app_commands_pkey PRIMARY KEY (id),
  CONSTRAINT app_commands_name_check CHECK (name ~ '^[a-z0-9_-]{1,32}$'),
  CONSTRAINT app_commands_context_check CHECK (context IN ('server', 'message', 'user')),
  CONSTRAINT app_commands_options_check CHECK (jsonb_typeof(options) = 'array' AND jsonb_array_length(options) <= 25),
  CONSTRAINT app_commands_default_permissions_check CHECK (default_permissions BETWEEN 0 AND 32767),
  CONSTRAINT app_commands_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES bots (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX app_commands_bot_id_context_name_key ON app_commands (bot_id, context, name);
