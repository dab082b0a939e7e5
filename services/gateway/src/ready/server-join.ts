import { dispatchFrame } from "@parley/contracts";
import { type Database, defineStatement } from "@parley/database";
import { memberObject, memberText } from "@parley/moderation";
import { mayViewChannel } from "@parley/permissions";
import { z } from "zod";
import { encodeTextFrame } from "../connection/frames.js";
import type { FindStructures, ServerStructure } from "./server-structures.js";

const membersStatement = defineStatement({
  name: "gateway_server_join",
  text: `SELECT m.user_id, s.structure_version::text AS version, ${memberText} AS member,
      ARRAY(SELECT r.role_id::text FROM member_roles r
        WHERE r.server_id = m.server_id AND r.user_id = m.user_id) AS roles
    FROM members m JOIN servers s ON s.id = m.server_id ${memberObject}
    WHERE m.server_id = $1 AND m.user_id = ANY ((SELECT $2::uuid[])::uuid[])`,
  row: z.object({ user_id: z.string(), version: z.string(), member: z.string(), roles: z.array(z.string()) }),
});

/**
 * Builds the frames of SERVER_JOIN for users of one server, by their ids; users without a membership are missing.
 * Rejects when a statement fails.
 */
export function createServerJoinBuilder(options: {
  database: Pick<Database, "query">;
  findStructures: FindStructures;
}) {
  const { database, findStructures } = options;
  return async (serverId: string, users: readonly { readonly id: string }[]): Promise<ReadonlyMap<string, Buffer>> => {
    const rows = await database.query(membersStatement, [serverId, users.map(({ id }) => id)]);
    const [first] = rows;
    if (first === undefined) return new Map();
    const structure = (await findStructures(new Map([[serverId, first.version]]))).get(serverId);
    if (structure === undefined) return new Map();
    return new Map(
      rows.map(({ user_id: id, member, roles }) => {
        const payload = serverJoinPayload(structure, { id, roles, member });
        return [id, encodeTextFrame(Buffer.from(dispatchFrame("SERVER_JOIN", payload)))] as const;
      }),
    );
  };
}

export type BuildServerJoin = ReturnType<typeof createServerJoinBuilder>;

function serverJoinPayload(
  { serverWithFace, rolesWithRights, rules, overrides }: ServerStructure,
  member: { id: string; roles: readonly string[]; member: string },
): string {
  const visible = [...overrides].flatMap(([channelId, texts]) => {
    const rule = rules.channels.get(channelId);
    if (rule === undefined || !mayViewChannel(rules, rule, member)) return [];
    return [`"${channelId}":[${texts}]`];
  });
  return `{"server":${serverWithFace},"roles":${rolesWithRights},"channel_overrides":{${visible}},"member":${member.member}}`;
}
