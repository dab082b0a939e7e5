import { events } from "@parley/contracts";
import { type Database, defineStatement, rowsOfArrays, serverExists } from "@parley/database";
import { createBatcher } from "@parley/service-runtime";
import { z } from "zod";
import { presencesBatchMax, presencesInFlightMax } from "../limits.js";
import type { Shard } from "../query/shard.js";

/** Requests the presence of users, limited to those whom the user `askerId` may see. */
export interface PresenceRequest {
  askerId: string;
  /** Limits co-members to those in servers of this shard, and DM partners to shard 0; null for no limit. */
  shard: Shard | null;
  userIds: readonly string[];
}

const Presence = events.PRESENCE_UPDATE.payload;

/** Both parts are read in one statement, so they are as of one snapshot. */
export interface PresenceAnswer {
  /** Presence of those requested users that are not offline and are co-members or DM partners of the asker. */
  presences: z.infer<typeof Presence>[];
  /** The servers of the asker. */
  serverIds: string[];
}

const inShard = (serverId: string) =>
  `(asked.shard IS NULL OR crc32(convert_to(${serverId}::text, 'UTF8')) % asked.shards = asked.shard)`;

/** OFFSET 0 keeps the planner from merging the look-ups by id into the joins, as in the statement of READY. */
const presencesStatement = defineStatement({
  name: "gateway_presences",
  text: `
SELECT asked.number, coalesce((
    SELECT string_agg(m.server_id::text, ',') FROM members m
    WHERE m.user_id = asked.asker_id AND ${serverExists("m.server_id")}
  ), '') AS server_ids,
  coalesce((
    SELECT json_agg(json_build_object('user_id', u.id, 'status', u.status, 'custom_status', u.custom_status,
      'activity', u.activity))
    FROM unnest(string_to_array(asked.user_ids, ',')::uuid[]) AS named (id)
    CROSS JOIN LATERAL (SELECT * FROM users WHERE id = named.id AND status <> 'offline' OFFSET 0) u
    WHERE u.id <> asked.asker_id AND (
      EXISTS (
        SELECT FROM members theirs JOIN members own ON own.server_id = theirs.server_id
        WHERE theirs.user_id = u.id AND own.user_id = asked.asker_id AND ${inShard("own.server_id")}
          AND ${serverExists("own.server_id")})
      OR coalesce(asked.shard, 0) = 0 AND EXISTS (
        SELECT FROM dm_channels
        WHERE user_low = least(u.id, asked.asker_id) AND user_high = greatest(u.id, asked.asker_id)))
  ), '[]') AS presences
FROM ${rowsOfArrays("int", "uuid", "int", "int", "text")} AS asked (number, asker_id, shard, shards, user_ids)`,
  row: z.object({ number: z.int(), server_ids: z.string(), presences: z.array(Presence) }),
});

/** Requests made while statements run share the next one. */
export function createPresenceLoader(options: { database: Pick<Database, "query"> }) {
  const { database } = options;

  async function load(requests: readonly PresenceRequest[]): Promise<PresenceAnswer[]> {
    const rows = await database.query(presencesStatement, [
      [...requests.keys()],
      requests.map(({ askerId }) => askerId),
      requests.map(({ shard }) => shard?.index ?? null),
      requests.map(({ shard }) => shard?.count ?? null),
      requests.map(({ userIds }) => userIds.join(",")),
    ]);
    const answers = requests.map((): PresenceAnswer => ({ presences: [], serverIds: [] }));
    for (const { number, server_ids, presences } of rows) {
      answers[number] = { presences, serverIds: server_ids === "" ? [] : server_ids.split(",") };
    }
    return answers;
  }

  return createBatcher({ work: load, batchMax: presencesBatchMax, inFlightMax: presencesInFlightMax });
}

/** Rejects when the statement fails. */
export type LoadPresences = ReturnType<typeof createPresenceLoader>;
