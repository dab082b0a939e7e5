-- What moderators did to a member's voice stays with the membership; how many a voice channel takes, 0 for any number.
ALTER TABLE members
  ADD COLUMN server_mute boolean NOT NULL DEFAULT false,
  ADD COLUMN server_deaf boolean NOT NULL DEFAULT false;
ALTER TABLE channels
  ADD COLUMN user_limit integer NOT NULL DEFAULT 0,
  ADD CONSTRAINT channels_user_limit_check CHECK (user_limit BETWEEN 0 AND 99);
