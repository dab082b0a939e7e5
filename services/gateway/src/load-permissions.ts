import { permissionBits } from "@parley/contracts";
import { createGather, type Database, defineStatement, rowsOfArrays } from "@parley/database";
import { z } from "zod";
import { permissionsBatchMax } from "./limits.js";
import { channelViewRules, type ViewRules } from "./view-rules.js";

/** What is asked about one server: its rules, and the roles of these users. */
export interface PermissionRequest {
  serverId: string;
  userIds: readonly string[];
}

/** The answer; a user who is missing in `members` is no member. `rules` is null when the server is gone. */
export interface PermissionAnswer {
  rules: ViewRules | null;
  /** User id → ids of their roles. */
  members: ReadonlyMap<string, readonly string[]>;
}

const view = permissionBits.VIEW_CHANNEL;
const administrator = permissionBits.ADMINISTRATOR;

const Row = z.object({
  id: z.string(),
  owner_id: z.string(),
  administrator_roles: z.array(z.string()),
  channels: z.array(z.string()),
  overrides: z.array(z.tuple([z.string(), z.string().nullable(), z.string().nullable(), z.int(), z.int()])),
  members: z.array(z.tuple([z.string(), z.array(z.string())])),
});

const permissionsStatement = defineStatement({
  name: "gateway_permissions",
  text: `
SELECT s.id, s.owner_id,
  ARRAY(SELECT r.id FROM roles r
    WHERE r.server_id = s.id AND r.permissions & ${administrator} <> 0) AS administrator_roles,
  ARRAY(SELECT c.id FROM channels c WHERE c.server_id = s.id) AS channels,
  coalesce((
    SELECT json_agg(json_build_array(o.channel_id, o.role_id, o.user_id, o.allow & ${view}, o.deny & ${view}))
    FROM channels c JOIN channel_overrides o ON o.channel_id = c.id
    WHERE c.server_id = s.id AND (o.allow | o.deny) & ${view} <> 0), '[]') AS overrides,
  coalesce((
    SELECT json_agg(json_build_array(m.user_id, ARRAY(
      SELECT r.role_id FROM member_roles r WHERE r.server_id = m.server_id AND r.user_id = m.user_id)))
    FROM ${rowsOfArrays("uuid", "uuid")} AS asked (server_id, user_id)
    JOIN members m ON m.server_id = asked.server_id AND m.user_id = asked.user_id
    WHERE asked.server_id = s.id), '[]') AS members
FROM servers s
WHERE s.id = ANY ((SELECT $3::uuid[])::uuid[])`,
  row: Row,
});

/** Reads what decides visibility in one server; rejects when the database cannot be asked. */
export type LoadPermissions = (request: PermissionRequest) => Promise<PermissionAnswer>;

/**
 * Requests that come while a statement is under way share the next one, so that a storm of first connections costs few
 * round trips. Every request is answered by a statement that began after it.
 */
export function createPermissionLoader(options: { database: Pick<Database, "query"> }): LoadPermissions {
  const { database } = options;

  async function load(requests: readonly PermissionRequest[]): Promise<PermissionAnswer[]> {
    const rows = await database.query(permissionsStatement, [
      requests.flatMap((request) => request.userIds.map(() => request.serverId)),
      requests.flatMap((request) => request.userIds),
      requests.map((request) => request.serverId),
    ]);
    const byServer = new Map(rows.map((row) => [row.id, row]));
    return requests.map((request) => toAnswer(byServer.get(request.serverId)));
  }

  return createGather({ work: load, batchMax: permissionsBatchMax, inFlightMax: 1 });
}

function toAnswer(row: z.infer<typeof Row> | undefined): PermissionAnswer {
  if (row === undefined) return { rules: null, members: new Map() };
  const overrides = row.overrides.map(([channelId, roleId, userId, allow, deny]) => ({
    channelId,
    roleId,
    userId,
    allow: allow !== 0,
    deny: deny !== 0,
  }));
  return {
    rules: {
      ownerId: row.owner_id,
      administratorRoles: new Set(row.administrator_roles),
      channels: channelViewRules(row.channels, overrides),
    },
    members: new Map(row.members),
  };
}
