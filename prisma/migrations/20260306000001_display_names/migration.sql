-- The name that is shown in place of the username. The version before does not show it.
ALTER TABLE users ADD COLUMN display_name text;
