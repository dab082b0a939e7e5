-- What an event is ordered with: its channel, its server, or its channel of direct messages. Processes of the version
-- before this one write the default, under which nobody waits for anybody.
ALTER TABLE outbox ADD COLUMN order_key uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000';
CREATE INDEX outbox_order_key_id_idx ON outbox (order_key, id);

-- Locks keys for the session, and says of each that it got whether the outbox has events that go before those of its
-- next holder: events of the key, or of `earlier`.
--
-- Session-level locks outlive the commit of the rows; the holder unlocks when the stream has their events. A function
-- and not a statement, because the statements inside a volatile function see what was committed before each of them,
-- while a statement that waited for a lock would see only what was committed before it began to wait.
--
-- The holder deletes its rows and unlocks in one statement, so a waiter may look before that deletion is committed: such
-- rows are locked, and those that a dead holder left are not. A session whose process has disappeared without closing
-- its connection ends by the timeout, which is longer than a transaction may take.
CREATE FUNCTION outbox_enter(wanted uuid[], earlier uuid[], wait boolean) RETURNS TABLE (key uuid, behind boolean)
-- The table is nearly empty whenever it is planned for, and full of dead rows whenever it is busy.
LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  held uuid[];
BEGIN
  PERFORM set_config('idle_session_timeout', '12s', false);
  IF wait THEN
    PERFORM pg_advisory_lock(lock_id)
      FROM (SELECT hashtextextended(k::text, 0) AS lock_id FROM unnest(wanted) AS k ORDER BY 1 OFFSET 0) AS ordered;
    held := wanted;
  ELSE
    SELECT array_agg(k) INTO held FROM unnest(wanted) AS k WHERE pg_try_advisory_lock(hashtextextended(k::text, 0));
  END IF;
  RETURN QUERY SELECT k, EXISTS (
      SELECT FROM outbox WHERE order_key = ANY (earlier || k) FOR KEY SHARE SKIP LOCKED)
    FROM unnest(held) AS k;
END
$$;

-- Deletes events that the stream has, and unlocks every key of the session. Commits without waiting for the disk: a
-- deletion that a crash undoes is repeated by the relay, and the stream drops the second copy.
CREATE FUNCTION outbox_leave(stored uuid[]) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  DELETE FROM outbox WHERE id = ANY (stored);
  PERFORM pg_advisory_unlock_all(), set_config('idle_session_timeout', '0', false);
END
$$;
