-- Settings of the installation that differ from their defaults, by their names.
ALTER TABLE instance_settings ADD COLUMN chosen jsonb NOT NULL DEFAULT '{}',
  ADD CONSTRAINT instance_settings_chosen_check CHECK (jsonb_typeof(chosen) = 'object');
