-- What a server asks people who join, and what the answers of each member gave them.
CREATE TABLE server_onboardings (
  server_id uuid    NOT NULL,
  enabled   boolean NOT NULL,
  welcome   text,
  channels  jsonb   NOT NULL,
  questions jsonb   NOT NULL,
  CONSTRAINT server_onboardings_pkey PRIMARY KEY (server_id),
  CONSTRAINT server_onboardings_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers (id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT server_onboardings_lists_check CHECK (jsonb_typeof(channels) = 'array' AND jsonb_typeof(questions) = 'array')
);
CREATE TABLE onboarding_gifts (
  server_id   uuid   NOT NULL,
  user_id     uuid   NOT NULL,
  role_ids    uuid[] NOT NULL,
  channel_ids uuid[] NOT NULL,
  CONSTRAINT onboarding_gifts_pkey PRIMARY KEY (server_id, user_id),
  CONSTRAINT onboarding_gifts_server_id_user_id_fkey FOREIGN KEY (server_id, user_id) REFERENCES members (server_id, user_id) ON DELETE CASCADE ON UPDATE CASCADE
);
