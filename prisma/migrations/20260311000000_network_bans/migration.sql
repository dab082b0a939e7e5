-- Networks from which nobody registers, logs in or connects; `cidr` is canonical: its address has no bits behind the prefix.
CREATE TABLE network_bans (
  id         uuid NOT NULL DEFAULT uuidv7(),
  cidr       text NOT NULL,
  reason     text,
  created_by uuid,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamptz(3),
  CONSTRAINT network_bans_pkey PRIMARY KEY (id),
  CONSTRAINT network_bans_created_by_fkey FOREIGN KEY (created_by) REFERENCES users (id) ON DELETE SET NULL ON UPDATE CASCADE,
  CONSTRAINT network_bans_cidr_check CHECK (cidr = text(cidr::cidr))
);
CREATE INDEX network_bans_created_at_id_idx ON network_bans (created_at DESC, id DESC);
CREATE INDEX network_bans_created_by_idx ON network_bans (created_by);
CREATE INDEX network_bans_expires_at_idx ON network_bans (expires_at);
