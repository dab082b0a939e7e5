-- What packages/presence knows of a user: whether they have a gateway connection, and the version of the last change of
-- that, so that a late write never undoes a newer one.
ALTER TABLE users
  ADD COLUMN connected boolean NOT NULL DEFAULT false,
  ADD COLUMN presence_version bigint NOT NULL DEFAULT 0;
-- The sweep that looks for users who count as connected and are not.
CREATE INDEX users_connected_idx ON users (id) WHERE connected;
