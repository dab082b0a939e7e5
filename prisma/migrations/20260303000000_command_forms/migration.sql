-- The servers that offer a command, null for all of its bot, and the form that another API of the bot's registered it in
-- (docs/discord.md#rules). The version before changes neither column, and offers every command in all servers.
ALTER TABLE app_commands ADD COLUMN server_ids uuid[], ADD COLUMN form jsonb,
  ADD CONSTRAINT app_commands_form_check CHECK (jsonb_typeof(form) = 'object');
