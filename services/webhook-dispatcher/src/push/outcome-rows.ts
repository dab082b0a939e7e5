import {
  columnsOf,
  type Database,
  defineStatement,
  rowsOfArrays,
  type SqlValue,
  type Statement,
} from "@parley/database";
import { z } from "zod";
import { lastReadAt } from "./candidate-rows.js";
import { failingDaysMax, mergePauseMs } from "./limits.js";

/**
 * Records that pushes begin, in the statement that checks once more: the sender has the device, and the user has not
 * read the channel. After the commit no process sends them again, unless their attempt is known to have failed. Other
 * waiting messages of the channel follow later as one push.
 */
export const beginStatement = defineStatement({
  name: "push_begin",
  text: `WITH begun AS MATERIALIZED (
      SELECT given.subscription_id, given.channel_id, given.message_at
      FROM ${rowsOfArrays("uuid", "uuid", "timestamptz")} AS given (subscription_id, channel_id, message_at)
      JOIN push_subscriptions s ON s.id = given.subscription_id
      WHERE s.sender = $4 AND s.busy_until > now()
        AND given.message_at > coalesce(${lastReadAt("s.user_id", "given.channel_id")}, '-infinity')
    ), item AS MATERIALIZED (
      SELECT * FROM unnest((SELECT $5::uuid[]), (SELECT $6::uuid[])) AS item (subscription_id, message_id)
    ), pushed AS (
      UPDATE pushes p SET due_at = CASE WHEN EXISTS (
          SELECT FROM item WHERE item.subscription_id = p.subscription_id AND item.message_id = p.message_id) THEN NULL
        ELSE greatest(p.due_at, now() + interval '${mergePauseMs} ms') END
      FROM begun
      WHERE p.subscription_id = begun.subscription_id AND p.channel_id = begun.channel_id AND p.due_at IS NOT NULL
    ), channel AS (
      INSERT INTO pushed_channels AS c (subscription_id, channel_id, pushed_at, message_at)
      SELECT subscription_id, channel_id, now(), message_at FROM begun ORDER BY 1, 2
      ON CONFLICT (subscription_id, channel_id) DO UPDATE
      SET pushed_at = EXCLUDED.pushed_at, message_at = greatest(c.message_at, EXCLUDED.message_at),
        read_due_at = NULL, failures = 0)
    SELECT subscription_id FROM begun`,
  row: z.object({ subscription_id: z.string() }),
});

/** The same for notices that a channel was read. It deletes the row, so no other process can send the notice. */
const beginReadStatement = defineStatement({
  name: "push_begin_read",
  text: `DELETE FROM pushed_channels c
    USING ${rowsOfArrays("uuid", "uuid")} AS given (subscription_id, channel_id), push_subscriptions s
    WHERE c.subscription_id = given.subscription_id AND c.channel_id = given.channel_id AND c.read_due_at IS NOT NULL
      AND s.id = c.subscription_id AND s.sender = $3 AND s.busy_until > now()
    RETURNING c.subscription_id`,
  row: z.object({ subscription_id: z.string() }),
});

/**
 * Writes the results of devices and of their messages: messages with a delay are due again, the others never. Other
 * messages for a device are not due before its push service is asked again. If the user read the channel while the push
 * was in flight, the dispatcher recalls the push.
 */
export const endStatement = defineStatement({
  name: "push_end",
  text: `WITH device AS MATERIALIZED (
      SELECT given.id, given.outcome, given.channel_id, now() + given.retry_ms * interval '1 ms' AS retry_at
      FROM ${rowsOfArrays("uuid", "text", "float8", "uuid")} AS given (id, outcome, retry_ms, channel_id)
      JOIN push_subscriptions s ON s.id = given.id AND s.sender = $5
    ), item AS MATERIALIZED (
      SELECT * FROM unnest((SELECT $6::uuid[]), (SELECT $7::uuid[]), (SELECT $8::float8[]), (SELECT $9::int[]))
        AS item (subscription_id, message_id, again_ms, failures)
    ), gone AS (
      DELETE FROM push_subscriptions s USING device
      WHERE s.id = device.id AND (device.outcome = 'gone'
        OR device.outcome = 'failing' AND s.failing_since < now() - interval '${failingDaysMax} days')
    ), kept AS (
      UPDATE push_subscriptions s SET sender = NULL, busy_until = NULL, retry_at = device.retry_at,
        last_used_at = CASE WHEN device.outcome = 'taken' THEN now() ELSE s.last_used_at END,
        failing_since = CASE device.outcome WHEN 'taken' THEN NULL WHEN 'failing' THEN coalesce(s.failing_since, now())
          ELSE s.failing_since END
      FROM device
      WHERE s.id = device.id AND device.outcome <> 'gone' AND (device.outcome <> 'failing'
        OR coalesce(s.failing_since >= now() - interval '${failingDaysMax} days', true))
    ), pushed AS (
      UPDATE pushed_channels c SET read_due_at = now()
      FROM device JOIN push_subscriptions s ON s.id = device.id
      WHERE c.subscription_id = device.id AND c.channel_id = device.channel_id AND device.outcome = 'taken'
        AND c.message_at <= ${lastReadAt("s.user_id", "c.channel_id")})
    UPDATE pushes p SET due_at = CASE WHEN item.message_id IS NULL THEN greatest(p.due_at, device.retry_at)
        ELSE now() + item.again_ms * interval '1 ms' END,
      failures = coalesce(item.failures, p.failures)
    FROM device CROSS JOIN LATERAL (
        SELECT waiting.subscription_id, waiting.message_id FROM pushes waiting
        WHERE waiting.subscription_id = device.id AND waiting.due_at IS NOT NULL AND device.retry_at IS NOT NULL
        UNION
        SELECT item.subscription_id, item.message_id FROM item WHERE item.subscription_id = device.id
      ) AS touched
      LEFT JOIN item ON item.subscription_id = touched.subscription_id AND item.message_id = touched.message_id
    WHERE p.subscription_id = touched.subscription_id AND p.message_id = touched.message_id`,
});

/** Schedules notices that a device could not get now. */
const readAgainStatement = defineStatement({
  name: "push_read_again",
  text: `INSERT INTO pushed_channels AS c (subscription_id, channel_id, pushed_at, message_at, read_due_at, failures)
    SELECT subscription_id, channel_id, pushed_at, message_at, now() + again_ms * interval '1 ms', failures
    FROM ${rowsOfArrays("uuid", "uuid", "timestamptz", "timestamptz", "float8", "int")}
      AS given (subscription_id, channel_id, pushed_at, message_at, again_ms, failures)
    ON CONFLICT (subscription_id, channel_id) DO UPDATE
    SET read_due_at = EXCLUDED.read_due_at, failures = EXCLUDED.failures WHERE c.read_due_at IS NOT NULL`,
});

/** A push that is about to go. */
export interface PushStart {
  subscriptionId: string;
  channelId: string;
  messageIds: readonly string[];
  /** Time of the newest of them. */
  messageAt: Date;
}

/** A channel with a notice to a device that the user read it. */
export interface ReadStart {
  subscriptionId: string;
  channelId: string;
}

/**
 * How a device was left: its push service took the push, took none (`failing`), says that there is no such device (`gone`), or was
 * not asked.
 */
export type DeviceOutcome = "taken" | "failing" | "gone" | "unasked";

/** The result of a claimed device. */
export interface AttemptResult {
  subscriptionId: string;
  outcome: DeviceOutcome;
  /** Milliseconds for which nothing is sent to it; null for none. */
  retryMs: number | null;
  /** The channel whose push it took. */
  channelId: string | null;
  /** Its messages and when they are due again; null for never. */
  messages: readonly { id: string; againMs: number | null; failures: number }[];
}

/** A read channel whose notice did not reach a device. */
export interface ReadAgain {
  subscriptionId: string;
  channelId: string;
  pushedAt: Date;
  messageAt: Date;
  againMs: number;
  failures: number;
}

/** An attempt that begins, and the function that writes it; that must not wait for anything. */
export interface AttemptStart<What> {
  what: What;
  write: () => void;
}

/** The writes around a push, many at a time. */
export type OutcomeRows = ReturnType<typeof createOutcomeRows>;

export function createOutcomeRows({
  database,
  sender,
}: {
  database: Pick<Database, "execute" | "transaction">;
  sender: string;
}) {
  /**
   * Writes pushes between the statement and its commit, which follows in the same turn of the event loop: a process
   * that dies before has sent nothing, and after it the database has everything. Only a push that was written and not
   * committed yet, a matter of microseconds, is sent again.
   */
  const begin = <What extends { subscriptionId: string }>(
    pushes: readonly AttemptStart<What>[],
    statement: Statement<{ subscription_id: string }>,
    values: (whats: readonly What[]) => readonly SqlValue[],
  ): Promise<boolean[]> =>
    database.transaction(async (transaction) => {
      const rows = await transaction.query(statement, values(pushes.map(({ what }) => what)));
      const begun = new Set(rows.map(({ subscription_id }) => subscription_id));
      return pushes.map(({ what, write }) => {
        const goes = begun.has(what.subscriptionId);
        if (goes) write();
        return goes;
      });
    });
  return {
    /** Writes those pushes that still may go; resolves with which. */
    begin: (pushes: readonly AttemptStart<PushStart>[]) =>
      begin(pushes, beginStatement, (beginnings) => {
        const items = beginnings.flatMap(({ subscriptionId, messageIds }) =>
          messageIds.map((messageId) => ({ subscriptionId, messageId })),
        );
        return [
          ...columnsOf(beginnings, "subscriptionId", "channelId", "messageAt"),
          sender,
          ...columnsOf(items, "subscriptionId", "messageId"),
        ];
      }),
    /** The same for notices that a channel was read. */
    beginRead: (reads: readonly AttemptStart<ReadStart>[]) =>
      begin(reads, beginReadStatement, (readings) => [...columnsOf(readings, "subscriptionId", "channelId"), sender]),
    async end(endings: readonly AttemptResult[]): Promise<void> {
      const items = endings.flatMap(({ subscriptionId, messages }) =>
        messages.map((message) => ({ subscriptionId, ...message })),
      );
      await database.execute(endStatement, [
        ...columnsOf(endings, "subscriptionId", "outcome", "retryMs", "channelId"),
        sender,
        ...columnsOf(items, "subscriptionId", "id", "againMs", "failures"),
      ]);
    },
    async readAgain(reads: readonly ReadAgain[]): Promise<void> {
      await database.execute(
        readAgainStatement,
        columnsOf(reads, "subscriptionId", "channelId", "pushedAt", "messageAt", "againMs", "failures"),
      );
    },
  };
}
