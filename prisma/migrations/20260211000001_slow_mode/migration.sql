-- How long somebody waits between two messages of theirs in a channel; 0 for not at all.
ALTER TABLE channels
  ADD COLUMN slow_mode_seconds integer NOT NULL DEFAULT 0,
  ADD CONSTRAINT channels_slow_mode_seconds_check CHECK (slow_mode_seconds BETWEEN 0 AND 21600);
