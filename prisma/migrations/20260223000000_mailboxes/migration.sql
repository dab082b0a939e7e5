-- The rule by which two addresses are one mailbox, written down here alone: letters of ASCII count without case.
CREATE FUNCTION mailbox_of(address text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN lower(address COLLATE "C");

-- Whether another account was registered before with the same mailbox, spelled otherwise. Apart from the index, so that nobody
-- waits for this lock while the index is made.
ALTER TABLE users ADD COLUMN shares_mailbox boolean NOT NULL DEFAULT false;
