import { columnsOf, defineStatement, type Queryable, type RawRow, rowsOfArrays } from "@parley/database";
import { z } from "zod";
import { nextAnnouncement, toBeAnnounced } from "./conditions.js";
import { firstAnswerSeconds, sweepBatchMax, unansweredSeconds } from "./limits.js";
import { type InteractionRow, interactionColumns, interactionRow } from "./rows.js";

/** Returns a row while an interaction is to be swept or announced; indexes answer it. */
export const dueInteractions = `SELECT FROM interactions
    WHERE due_at <= now() + make_interval(secs => ${firstAnswerSeconds - unansweredSeconds})
  UNION ALL SELECT FROM interactions WHERE announce_at <= now()`;

// Every api sweeps. It skips rows that another api has locked.

/** The columns of a failed interaction. One that was deferred before stays readable for another minute. */
const failed = `state = 'failed', frame = NULL, due_at = NULL,
      expires_at = greatest(i.expires_at, now() + interval '1 minute'), ${toBeAnnounced}`;

const failStatement = defineStatement({
  name: "interaction_fail",
  text: `UPDATE interactions i
    SET ${failed}
    WHERE i.id IN (
      SELECT d.id FROM interactions d WHERE d.due_at <= now() ORDER BY d.due_at LIMIT ${sweepBatchMax}
      FOR UPDATE SKIP LOCKED)
    RETURNING ${interactionColumns}`,
  row: interactionRow,
});

const failOneStatement = defineStatement({
  name: "interaction_fail_one",
  text: `UPDATE interactions i SET ${failed} WHERE i.id = $1 AND i.state = 'pending' RETURNING ${interactionColumns}`,
  row: interactionRow,
});

/** States whose process died before it announced them, or had no way to NATS. */
const unannouncedStatement = defineStatement({
  name: "interaction_unannounced",
  text: `UPDATE interactions i SET announce_at = ${nextAnnouncement}
    WHERE i.id IN (
      SELECT a.id FROM interactions a WHERE a.announce_at <= now() ORDER BY a.announce_at LIMIT ${sweepBatchMax}
      FOR UPDATE SKIP LOCKED)
    RETURNING ${interactionColumns}`,
  row: interactionRow,
});

/** If the state changed meanwhile, the process that changed it announces it. */
const announcedStatement = defineStatement({
  name: "interaction_announced",
  text: `UPDATE interactions i SET announce_at = NULL
    FROM ${rowsOfArrays("uuid", "text")} AS announced (id, state)
    WHERE i.id = announced.id AND i.state = announced.state`,
});

/**
 * Bots with interactions that nobody has, for their connections or their URLs. By their end they are a few milliseconds old at least,
 * so a first notice was lost or found nobody.
 */
const waitingStatement = defineStatement({
  name: "interaction_waiting",
  text: `SELECT DISTINCT i.bot_user_id, i.by_http FROM interactions i
    WHERE i.state = 'pending' AND i.connection_id IS NULL
      AND i.due_at BETWEEN now() AND now() + make_interval(secs => ${firstAnswerSeconds - unansweredSeconds})`,
  row: z.object({ bot_user_id: z.string(), by_http: z.boolean() }),
});

const holdersStatement = defineStatement({
  name: "interaction_holders",
  text: `SELECT DISTINCT i.gateway_id FROM interactions i
    WHERE i.state = 'pending' AND i.gateway_id IS NOT NULL
      AND i.due_at BETWEEN now() AND now() + make_interval(secs => ${firstAnswerSeconds - unansweredSeconds})`,
  row: (row: RawRow) => String(row.gateway_id),
});

const releaseStatement = defineStatement({
  name: "interaction_release_gateway",
  text: `UPDATE interactions i SET connection_id = NULL, gateway_id = NULL
    WHERE i.gateway_id = $1 AND i.state = 'pending' AND i.due_at > now()
    RETURNING i.bot_user_id`,
  row: (row: RawRow) => String(row.bot_user_id),
});

/** Ends interactions without an answer in time. */
export const failOverdue = (connection: Queryable) => connection.query(failStatement, []);

/** Ends an interaction whose answer is none. @returns null when it is answered, deferred or over */
export async function failInteraction(connection: Queryable, id: string): Promise<InteractionRow | null> {
  const [row] = await connection.query(failOneStatement, [id]);
  return row ?? null;
}

/** Claims states that still need an announcement, because the process that stored them has made none. */
export const claimUnannounced = (connection: Queryable) => connection.query(unannouncedStatement, []);

/** Notes that states are announced. */
export function markAnnounced(
  connection: Queryable,
  announced: readonly { id: string; state: string }[],
): Promise<number> {
  return connection.execute(announcedStatement, columnsOf(announced, "id", "state"));
}

/** Accounts of bots with interactions that neither a connection nor a webhook-dispatcher has. */
export const findWaitingBots = (connection: Queryable) => connection.query(waitingStatement, []);

/** Gateway processes with interactions that are unanswered for a while. */
export const findHolders = (connection: Queryable) => connection.query(holdersStatement, []);

/** Takes the interactions of a gateway process from it. @returns their bots */
export async function releaseGateway(connection: Queryable, gatewayId: string): Promise<Set<string>> {
  return new Set(await connection.query(releaseStatement, [gatewayId]));
}
