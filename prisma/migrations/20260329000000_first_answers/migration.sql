-- The first answer to an interaction, which bots written for Discord name `@original` (docs/discord.md#rules): its message, and that
-- message itself where the invoker alone sees it. NULL: there is none yet, or the version before stored it.
ALTER TABLE interactions
  ADD COLUMN original_id uuid,
  ADD COLUMN original    jsonb;
