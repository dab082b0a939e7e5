-- The deletion of a server wrote every entry of its audit log once more, to set the server to null: with 100,000 entries
-- three seconds of the transaction that its members wait for. The entries keep the id of the server now, which nobody
-- can read the log of any more; the api removes them in small steps when they are old.
ALTER TABLE audit_log_entries DROP CONSTRAINT audit_log_entries_server_id_fkey;
