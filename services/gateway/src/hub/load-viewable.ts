import { type Database, defineStatement, isDirectParticipant, rowsOfArrays } from "@parley/database";
import { accessColumns, accessRow, hasPermission, resolveAccess } from "@parley/permissions";
import { createBatcher } from "@parley/service-runtime";
import { z } from "zod";
import { viewsBatchMax, viewsInFlightMax } from "../limits.js";

/** A user and channels that they name. */
export interface ViewRequest {
  userId: string;
  channelIds: readonly string[];
}

const Asked = z.object({ number: z.int(), channel_id: z.string() });
const Row = z.union([
  Asked.extend({ ...accessRow.shape, is_direct: z.literal(false) }),
  Asked.extend({ is_direct: z.literal(true) }),
]);

/** The channels of the users' servers, with the data that decides about them, and their direct messages. */
const viewableStatement = defineStatement({
  name: "gateway_viewable_channels",
  text: `SELECT asked.number, asked.channel_id, channel.*
    FROM ${rowsOfArrays("int", "uuid", "uuid")} AS asked (number, user_id, channel_id), LATERAL (
      SELECT ${accessColumns("asked.user_id")}, false AS is_direct
      FROM channels c
      JOIN servers s ON s.id = c.server_id
      JOIN members m ON m.server_id = c.server_id AND m.user_id = asked.user_id
      WHERE c.id = asked.channel_id
      UNION ALL
      SELECT NULL, NULL, NULL, NULL, true
      FROM dm_channels d
      WHERE d.id = asked.channel_id AND ${isDirectParticipant("d", "asked.user_id")}) AS channel`,
  row: Row,
});

/**
 * Loads which of the channels their users may view, in the order in which they are named. Requests made while statements run share the
 * next one.
 */
export function createViewableLoader({ database }: { database: Pick<Database, "query"> }) {
  async function load(requests: readonly ViewRequest[]): Promise<string[][]> {
    const asked = requests.flatMap(({ userId, channelIds }, number) =>
      channelIds.map((channelId) => ({ number, userId, channelId })),
    );
    const rows = await database.query(viewableStatement, [
      asked.map(({ number }) => number),
      asked.map(({ userId }) => userId),
      asked.map(({ channelId }) => channelId),
    ]);
    const viewable = requests.map(() => new Set<string>());
    for (const row of rows) {
      const userId = requests[row.number]?.userId ?? "";
      if (row.is_direct || hasPermission(resolveAccess(row, userId), "VIEW_CHANNEL"))
        viewable[row.number]?.add(row.channel_id);
    }
    return requests.map(({ channelIds }, number) => channelIds.filter((id) => viewable[number]?.has(id)));
  }

  return createBatcher({ work: load, batchMax: viewsBatchMax, inFlightMax: viewsInFlightMax });
}

/** Rejects when the statement fails. */
export type LoadViewable = ReturnType<typeof createViewableLoader>;
