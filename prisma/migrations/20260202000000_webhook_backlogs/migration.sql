-- A webhook whose receiver is quick gets every event, however many wait: those that its share of the queue has no room
-- for are read from the stream again when there is room.

-- Whether the last attempt failed or took longer than a second.
ALTER TABLE webhooks ADD COLUMN slow boolean NOT NULL DEFAULT false;

CREATE TABLE webhook_backlogs (
  webhook_id    uuid        NOT NULL,
  from_sequence bigint      NOT NULL,
  growing       boolean     NOT NULL DEFAULT true,
  due_at        timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT webhook_backlogs_pkey PRIMARY KEY (webhook_id),
  CONSTRAINT webhook_backlogs_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks (id) ON DELETE CASCADE ON UPDATE CASCADE
);
