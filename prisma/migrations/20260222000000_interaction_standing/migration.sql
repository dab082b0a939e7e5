-- An interaction's token ends with the bot's token that was in force when it began (docs/interface.md#25.3). NULL: it began at an api
-- of the version before.
ALTER TABLE interactions ADD COLUMN bot_session_version integer;
