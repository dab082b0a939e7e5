import { type Database, defineStatement, rowsOfArrays, serverExists } from "@parley/database";
import { createBatcher } from "@parley/service-runtime";
import { z } from "zod";
import { membershipsBatchMax, membershipsInFlightMax } from "../limits.js";

/** A server that a user is a member of, with the ids of their roles there. */
export interface ServerMembership {
  serverId: string;
  roles: string[];
}

/**
 * Per membership the ids of the server and of the roles, separated by blanks. Text costs less than rows on both sides.
 */
const membershipsStatement = defineStatement({
  name: "gateway_memberships",
  text: `
SELECT m.user_id, string_agg(concat_ws(' ', m.server_id, (
  SELECT string_agg(r.role_id::text, ' ') FROM member_roles r
  WHERE r.server_id = m.server_id AND r.user_id = m.user_id)), ',') AS servers
FROM ${rowsOfArrays("uuid")} AS asked (user_id)
JOIN members m ON m.user_id = asked.user_id AND ${serverExists("m.server_id")}
GROUP BY m.user_id`,
  row: z.object({ user_id: z.string(), servers: z.string() }),
});

/**
 * Users who connect while a statement runs share the next one, so that a burst does not exhaust the connection pool.
 */
export function createMembershipLoader(options: { database: Pick<Database, "query"> }) {
  const { database } = options;

  async function load(userIds: readonly string[]): Promise<ServerMembership[][]> {
    const rows = await database.query(membershipsStatement, [[...new Set(userIds)]]);
    const byUser = new Map(rows.map((row) => [row.user_id, membershipsOf(row.servers)]));
    return userIds.map((userId) => byUser.get(userId) ?? []);
  }

  return createBatcher({ work: load, batchMax: membershipsBatchMax, inFlightMax: membershipsInFlightMax });
}

/** The memberships of a user. Rejects when the statement fails. */
export type LoadMemberships = ReturnType<typeof createMembershipLoader>;

function membershipsOf(text: string): ServerMembership[] {
  return text.split(",").map((membership) => {
    const [serverId = "", ...roles] = membership.split(" ");
    return { serverId, roles };
  });
}
