-- Bots that are asked by HTTP (docs/interface.md#25.3): where, and what signs the requests.
ALTER TABLE bots
  ADD COLUMN interactions_url    text,
  ADD COLUMN interactions_secret text,
  ADD CONSTRAINT bots_interactions_url_check CHECK ((interactions_url IS NULL) = (interactions_secret IS NULL)),
  ADD CONSTRAINT bots_interactions_secret_check CHECK (interactions_secret ~ '^[0-9a-f]{64}$');

-- Interactions that no gateway takes.
ALTER TABLE interactions ADD COLUMN by_http boolean NOT NULL DEFAULT false;
CREATE INDEX interactions_by_http_idx ON interactions (due_at) WHERE by_http AND state = 'pending' AND connection_id IS NULL;
