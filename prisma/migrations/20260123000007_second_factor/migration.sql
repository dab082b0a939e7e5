-- Time-based codes beside the password. The secret is encrypted by the apis; without a confirmation it is not asked for.
CREATE TABLE second_factors (
  user_id       uuid           NOT NULL,
  sealed_secret text           NOT NULL,
  confirmed_at  timestamptz(3),
  -- number of the last period whose code was used: each code works once
  last_period   bigint         NOT NULL DEFAULT 0,
  CONSTRAINT second_factors_pkey PRIMARY KEY (user_id),
  CONSTRAINT second_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id)
    ON DELETE CASCADE ON UPDATE CASCADE
);

-- Codes that stand in for the device, each once. Only their hashes are stored.
CREATE TABLE recovery_codes (
  user_id   uuid NOT NULL,
  code_hash text NOT NULL,
  CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
  CONSTRAINT recovery_codes_code_hash_check CHECK (code_hash ~ '^[0-9a-f]{64}$'),
  CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id)
    ON DELETE CASCADE ON UPDATE CASCADE
);
