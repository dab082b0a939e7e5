-- After how many days a server's messages are removed; null: when the instance removes them, if it does.
ALTER TABLE servers ADD COLUMN retention_days integer;
ALTER TABLE servers ADD CONSTRAINT servers_retention_days_check CHECK (retention_days BETWEEN 1 AND 3650);

-- Channels with messages that have outlived their days: those from before a time are removed, in small batches. Not a
-- column of purges, whose rows earlier versions of the services take for channels that are to be emptied.
CREATE TABLE expirations (
  channel_id uuid           NOT NULL,
  before     timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT expirations_pkey PRIMARY KEY (channel_id),
  CONSTRAINT expirations_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels (id)
    ON DELETE CASCADE ON UPDATE CASCADE
);
