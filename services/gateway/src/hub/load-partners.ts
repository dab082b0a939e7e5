import { type Database, defineStatement, rowsOfArrays } from "@parley/database";
import { createBatcher } from "@parley/service-runtime";
import { z } from "zod";
import { membershipsBatchMax, membershipsInFlightMax, partnersMax } from "../limits.js";

const partnersStatement = defineStatement({
  name: "gateway_dm_partners",
  text: `
SELECT asked.user_id, string_agg(partner.id::text, ',') AS partners
FROM ${rowsOfArrays("uuid")} AS asked (user_id)
CROSS JOIN LATERAL (
  SELECT user_high AS id FROM dm_channels WHERE user_low = asked.user_id
  UNION ALL
  SELECT user_low FROM dm_channels WHERE user_high = asked.user_id
  LIMIT ${partnersMax}) partner
GROUP BY asked.user_id`,
  row: z.object({ user_id: z.string(), partners: z.string() }),
});

/** Users who connect while a statement runs share the next one. */
export function createPartnerLoader(options: { database: Pick<Database, "query"> }) {
  const { database } = options;

  async function load(userIds: readonly string[]): Promise<string[][]> {
    const rows = await database.query(partnersStatement, [[...new Set(userIds)]]);
    const byUser = new Map(rows.map((row) => [row.user_id, row.partners.split(",")]));
    return userIds.map((userId) => byUser.get(userId) ?? []);
  }

  return createBatcher({ work: load, batchMax: membershipsBatchMax, inFlightMax: membershipsInFlightMax });
}

/** The ids of the partners of a user's DM channels, at most {@link partnersMax}. Rejects when the statement fails. */
export type LoadPartners = ReturnType<typeof createPartnerLoader>;
