-- The nonces of messages, by which a repeated request finds the message that the first one made (docs/interface.md#21).
-- Written by the statement that stores the message. No foreign keys: a message is one of messages or of dm_messages, and
-- rows go by their age, whatever became of author, channel and message.
CREATE TABLE message_nonces (
  author_id  uuid           NOT NULL,
  channel_id uuid           NOT NULL,
  nonce      text           NOT NULL,
  message_id uuid           NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT message_nonces_pkey PRIMARY KEY (author_id, channel_id, nonce),
  CONSTRAINT message_nonces_nonce_check CHECK (char_length(nonce) BETWEEN 1 AND 64)
);

-- The oldest ones are removed first.
CREATE INDEX message_nonces_created_at_idx ON message_nonces (created_at);
