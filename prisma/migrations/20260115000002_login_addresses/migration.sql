-- Addresses that an account logged in from: the limits of failed logins do not hold there. Only a hash is kept, and only for
-- 30 days after the last login.
CREATE TABLE login_addresses (
  user_id       uuid           NOT NULL,
  address_hash  text           NOT NULL,
  last_login_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT login_addresses_pkey PRIMARY KEY (user_id, address_hash),
  CONSTRAINT login_addresses_address_hash_check CHECK (address_hash ~ '^[0-9a-f]{64}$'),
  CONSTRAINT login_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id)
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX login_addresses_last_login_at_idx ON login_addresses (last_login_at);
