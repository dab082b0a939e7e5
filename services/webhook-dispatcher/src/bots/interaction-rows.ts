import { type Database, defineStatement } from "@parley/database";
import { z } from "zod";
import { interactionClaimMax } from "./limits.js";

const claimed = z.object({
  id: z.string(),
  bot_id: z.string(),
  /** The account that made the bot; the bot's own once that is deleted. */
  owner_id: z.string(),
  url: z.string(),
  secret: z.string(),
  frame: z.string(),
  /** Milliseconds until its time is over. */
  left_ms: z.number(),
});

/** Claims what waits for dispatchers, for this one ($1). What another one is claiming is left to it; none is claimed twice. */
const claimStatement = defineStatement({
  name: "dispatcher_interaction_claim",
  text: `WITH waiting AS (
      SELECT i.id, b.id AS bot_id, coalesce(b.created_by, b.user_id) AS owner_id, b.interactions_url AS url, b.interactions_secret AS secret
      FROM interactions i JOIN bots b ON b.user_id = i.bot_user_id
      WHERE i.by_http AND i.state = 'pending' AND i.connection_id IS NULL AND i.due_at > now()
        AND b.interactions_url IS NOT NULL
      ORDER BY i.due_at LIMIT ${interactionClaimMax}
      FOR UPDATE OF i SKIP LOCKED)
    UPDATE interactions i SET connection_id = $1
    FROM waiting WHERE i.id = waiting.id
    RETURNING i.id, waiting.bot_id, waiting.owner_id, waiting.url, waiting.secret, i.frame,
      (extract(epoch FROM i.due_at - now()) * 1000)::float8 AS left_ms`,
  row: claimed,
});

/** Gives back what was not sent, so that another dispatcher may get it. */
const releaseStatement = defineStatement({
  name: "dispatcher_interaction_release",
  text: `UPDATE interactions SET connection_id = NULL
    WHERE id = ANY ($1::uuid[]) AND connection_id = $2 AND state = 'pending'`,
});

/** Claims interactions with bots that are asked by HTTP, at most {@link interactionClaimMax}. */
export const claimInteractions = (database: Pick<Database, "query">, dispatcherId: string) =>
  database.query(claimStatement, [dispatcherId]);

export const releaseInteractions = (
  database: Pick<Database, "execute">,
  dispatcherId: string,
  ids: readonly string[],
): Promise<number> => database.execute(releaseStatement, [ids, dispatcherId]);
