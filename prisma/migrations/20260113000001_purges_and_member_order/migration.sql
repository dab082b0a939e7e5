-- A channel's messages are removed after it, in small batches: all at once, with what hangs on them, is more than one
-- transaction can take. A deleted channel is out of reach at once, whatever is still stored of it, because everything
-- that reads messages asks for their channel.

-- Deleted channels whose messages are still stored. Written in the transaction that deletes the channel, by a trigger, so
-- that the deletion of a server counts, too.
CREATE TABLE purges (
  channel_id uuid           NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT purges_pkey PRIMARY KEY (channel_id)
);
CREATE FUNCTION channels_purge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO purges (channel_id) SELECT id FROM changed;
  RETURN NULL;
END $$;
CREATE TRIGGER channels_purge_delete AFTER DELETE ON channels
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION channels_purge();

-- What the foreign key did but for the cascade: no message without its channel when it is stored. Like a foreign key's
-- check it locks the channel until the insert is committed, so a deletion leaves no message behind that its purge
-- could miss. It fails under the foreign key's name.
ALTER TABLE messages DROP CONSTRAINT messages_channel_id_server_id_fkey;
CREATE FUNCTION messages_channel() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM channels WHERE id = NEW.channel_id AND server_id = NEW.server_id FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE foreign_key_violation USING
      MESSAGE = 'insert on table "messages" violates foreign key constraint "messages_channel_id_server_id_fkey"',
      TABLE = 'messages', CONSTRAINT = 'messages_channel_id_server_id_fkey';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER messages_channel_insert AFTER INSERT ON messages FOR EACH ROW EXECUTE FUNCTION messages_channel();

-- Only that foreign key needed it.
DROP INDEX channels_id_server_id_key;

-- A server's members in the order of their list, which is read in pieces.
CREATE INDEX members_server_id_joined_at_user_id_idx ON members (server_id, joined_at, user_id);
