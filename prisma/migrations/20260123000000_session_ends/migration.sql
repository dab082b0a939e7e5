-- All sessions of an account end with a step of its session_version: tokens of earlier versions count no more, those that
-- are issued at the same moment included. Processes of the version before issue tokens without one, which is version 0.
ALTER TABLE users
  ADD COLUMN session_version integer NOT NULL DEFAULT 0,
  ADD COLUMN disabled_at timestamptz(3),
  -- what the setting PARLEY_ADMINS grants, beside is_admin
  ADD COLUMN admin_by_setting boolean NOT NULL DEFAULT false;

ALTER TABLE refresh_sessions
  ADD COLUMN session_version integer NOT NULL DEFAULT 0,
  ADD COLUMN user_agent text,
  ADD CONSTRAINT refresh_sessions_user_agent_check CHECK (char_length(user_agent) BETWEEN 1 AND 256);

-- Single sessions that ended before their tokens expired. A row outlives them all, so it also ends the successor of a
-- refresh token that is exchanged at the same moment.
CREATE TABLE ended_sessions (
  id       uuid           NOT NULL,
  ended_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT ended_sessions_pkey PRIMARY KEY (id)
);
CREATE INDEX ended_sessions_ended_at_idx ON ended_sessions (ended_at);
