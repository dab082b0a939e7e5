import { type Database, defineStatement, rowsOfArrays } from "@parley/database";
import { createBatcher } from "@parley/service-runtime";
import { z } from "zod";
import { permissionsAloneInFlightMax, permissionsBatchMax, permissionsTogetherMax } from "../limits.js";
import { parseViewRules, type ViewRules, viewRuleColumns, viewRuleRow } from "./view-rules.js";

/** Requests the rules of one server, and the roles of these users. */
export interface PermissionRequest {
  serverId: string;
  userIds: readonly string[];
}

/** A user without an entry in `members` is no member. `rules` is null for a deleted server. */
export interface PermissionAnswer {
  rules: ViewRules | null;
  /** User id → ids of their roles. */
  members: ReadonlyMap<string, readonly string[]>;
  /** Whether it was read by a statement of its own. */
  isLarge: boolean;
}

const Row = viewRuleRow.extend({ id: z.string(), is_small: z.boolean(), members: z.string().nullable() });

/** Text instead of arrays and JSON, for the same reason as in {@link viewRuleColumns}. */
const permissionsStatement = defineStatement({
  name: "gateway_permissions",
  text: `
SELECT s.id, size.is_small, ${viewRuleColumns.roles},
  CASE WHEN size.is_small THEN ${viewRuleColumns.channels} END AS channels,
  CASE WHEN size.is_small THEN (
    SELECT string_agg(concat_ws(' ', m.user_id, (
      SELECT string_agg(r.role_id::text, ' ') FROM member_roles r
      WHERE r.server_id = m.server_id AND r.user_id = m.user_id)), ',')
    FROM ${rowsOfArrays("uuid", "uuid")} AS asked (server_id, user_id)
    JOIN members m ON m.server_id = asked.server_id AND m.user_id = asked.user_id
    WHERE asked.server_id = s.id) END AS members
FROM servers s
CROSS JOIN LATERAL (
  SELECT count(*) < $4::bigint AS is_small
  FROM (
    SELECT 1 FROM channels c LEFT JOIN channel_overrides o ON o.channel_id = c.id
    WHERE c.server_id = s.id LIMIT $4::bigint) counted
) size
WHERE s.id = ANY ((SELECT $3::uuid[])::uuid[])`,
  row: Row,
});

/**
 * Requests made while a statement runs share the next one, which limits the round trips of many simultaneous first
 * connections. Each request is answered by a statement that was sent after it.
 *
 * A large server has a statement of its own, so that small ones neither wait for it nor share its failure. After a
 * failed statement each of its servers is read alone, so that only the cause of the failure fails.
 */
export function createPermissionLoader(options: { database: Pick<Database, "query"> }) {
  const { database } = options;

  /** @returns null for a server with more channels and overrides than `sizeMax` */
  async function load(requests: readonly PermissionRequest[], sizeMax: number): Promise<(PermissionAnswer | null)[]> {
    const rows = await database.query(permissionsStatement, [
      requests.flatMap((request) => request.userIds.map(() => request.serverId)),
      requests.flatMap((request) => request.userIds),
      requests.map((request) => request.serverId),
      sizeMax + 1,
    ]);
    const byServer = new Map(rows.map((row) => [row.id, row]));
    return requests.map((request) => toAnswer(byServer.get(request.serverId)));
  }

  const together = createBatcher({
    work: (requests: readonly PermissionRequest[]) => load(requests, permissionsTogetherMax),
    batchMax: permissionsBatchMax,
    inFlightMax: 1,
  });
  const alone = createBatcher({
    work: async (requests: readonly PermissionRequest[]) => {
      const answers = await load(requests, Number.MAX_SAFE_INTEGER - 1);
      return answers.map((answer) => ({ ...(answer ?? gone), isLarge: true }));
    },
    batchMax: 1,
    inFlightMax: permissionsAloneInFlightMax,
  });

  return async (request: PermissionRequest) => {
    if (request.userIds.length > permissionsTogetherMax) return alone(request);
    const answer = await together(request).catch(() => null);
    return answer ?? alone(request);
  };
}

/** Reads the rules of visibility in one server; rejects when the statement fails. */
export type LoadPermissions = ReturnType<typeof createPermissionLoader>;

const gone: PermissionAnswer = { rules: null, members: new Map(), isLarge: false };

function toAnswer(row: z.infer<typeof Row> | undefined): PermissionAnswer | null {
  if (row === undefined) return gone;
  if (!row.is_small) return null;
  return {
    rules: parseViewRules(row),
    members: new Map(
      (row.members?.split(",") ?? []).map((member) => {
        const [userId = "", ...roles] = member.split(" ");
        return [userId, roles] as const;
      }),
    ),
    isLarge: false,
  };
}
