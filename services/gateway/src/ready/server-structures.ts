import { defaultRoleColor, rightBits, rightNames } from "@parley/contracts";
import { type Database, defineStatement, jsonTime, rowsOfArrays } from "@parley/database";
import { overrideRoleOf } from "@parley/permissions";
import { z } from "zod";
import { parseViewRules, type ViewRules, viewRuleColumns, viewRuleRow } from "../hub/view-rules.js";
import { serverStructuresBytesMax, serverStructuresMax, structuresReadMax, structuresTotalMax } from "../limits.js";

/** The part of READY about a server that is the same for all its members, as JSON text, and its view rules. */
export interface ServerStructure {
  version: string;
  server: string;
  /** For connections with `v=2`: with what the server shows of itself, where that was set (docs/protocol/communities.md#34.4). */
  serverWithFace: string;
  roles: string;
  /** For connections with `v=2`: with their rights, the everyone role last (docs/protocol/permissions.md#24.1). */
  rolesWithRights: string;
  /** Its channels are in the order of their positions. */
  rules: ViewRules;
  /** JSON by channel id; only channels that have overrides. */
  overrides: ReadonlyMap<string, string>;
  /** Approximate size in memory. */
  byteLength: number;
}

/** SQL for the JSON objects of a query's rows, in its order, as a JSON array without blanks. */
const jsonList = (query: string, object = "row_to_json(r)") =>
  `'[' || coalesce((SELECT string_agg(${object}::text, ',') FROM (${query}) r), '') || ']'`;

/** SQL for the names of the rights in a sum of `rightBits`, in the order of their values. */
const rightNamesColumn = (rights: string) =>
  `array_remove(ARRAY[${rightNames.map((name) => `CASE WHEN ${rights} & ${rightBits[name]} <> 0 THEN '${name}' END`)}], NULL) AS rights`;

const Row = viewRuleRow.extend({
  id: z.string(),
  version: z.string(),
  server: z.string(),
  face: z.string(),
  roles: z.string(),
  roles_with_rights: z.string(),
  overrides: z.string().nullable(),
});

const structureStatement = defineStatement({
  name: "gateway_server_structure",
  text: `
SELECT /* READY */ s.id, s.structure_version::text AS version, ${viewRuleColumns.roles},
  (SELECT CASE WHEN s.hierarchy THEN left(r.server, -1) || ',"hierarchy":true}' ELSE r.server END FROM (
    SELECT row_to_json(r)::text AS server FROM (
      SELECT s.id, s.name, s.owner_id, s.icon_url, s.is_public, s.require_invite,
        ${jsonTime("s.created_at")} AS created_at, ${jsonTime("s.updated_at")} AS updated_at) r) r) AS server,
  (SELECT json_strip_nulls(row_to_json(r))::text FROM (
    SELECT s.description, NULLIF(s.tags, '{}') AS tags, s.language, s.banner_url, NULLIF(s.timezone, 'UTC') AS timezone,
      CASE WHEN s.require_second_factor THEN true END AS require_second_factor) r) AS face,
  ${jsonList(`
    SELECT o.id, o.server_id, o.name, o.permissions, o.color, o.position, ${jsonTime("o.created_at")} AS created_at
    FROM roles o WHERE o.server_id = s.id ORDER BY o.position DESC, o.created_at, o.id`)} AS roles,
  ${jsonList(
    `
    SELECT o.id, o.server_id, o.name, o.permissions, o.color, o.position, o.created_at, ${rightNamesColumn("o.rights")},
      o.mentionable
    FROM (
      SELECT o.id, o.server_id, o.name, o.permissions, o.color, o.position, ${jsonTime("o.created_at")} AS created_at,
        o.rights, CASE WHEN o.mentionable THEN true END AS mentionable, 0 AS rank
      FROM roles o WHERE o.server_id = s.id
      UNION ALL
      SELECT s.id, s.id, 'everyone', s.everyone_permissions, '${defaultRoleColor}', 0, ${jsonTime("s.created_at")},
        s.everyone_rights, NULL, 1) o
    ORDER BY o.rank, o.position DESC, o.created_at, o.id`,
    "json_strip_nulls(row_to_json(r))",
  )} AS roles_with_rights,
  ${viewRuleColumns.channels} AS channels,
  (
    SELECT string_agg(c.id || o.list, E'\\n')
    FROM channels c CROSS JOIN LATERAL (
      SELECT string_agg(row_to_json(r)::text, ',') AS list
      FROM (
        SELECT o.id, o.channel_id, ${overrideRoleOf("c.server_id")} AS role_id, o.user_id, o.allow, o.deny
        FROM channel_overrides o WHERE o.channel_id = c.id ORDER BY o.user_id IS NOT NULL, o.id) r
    ) o
    WHERE c.server_id = s.id AND o.list IS NOT NULL) AS overrides
FROM ${rowsOfArrays("uuid")} AS asked (server_id)
CROSS JOIN LATERAL (SELECT * FROM servers WHERE id = asked.server_id OFFSET 0) s`,
  row: Row,
});

/**
 * The structures of servers by id, none older than the requested version; a server deleted meanwhile is missing.
 * Rejects when a statement fails, and with a RangeError when the structures are too long together, before all are read;
 * the users of a shared build are then built alone.
 * Those of the servers that were read last are cached.
 *
 * @param options.bytesMax limit of the cached characters; a server at its caps has ten million
 * @param options.totalMax limit of the characters that one call finds
 */
export function createServerStructures(options: {
  database: Pick<Database, "query">;
  bytesMax?: number;
  totalMax?: number;
}) {
  const { database, bytesMax = serverStructuresBytesMax, totalMax = structuresTotalMax } = options;
  const known = new Map<string, ServerStructure>();
  let bytes = 0;

  function forget(serverId: string): void {
    const structure = known.get(serverId);
    if (structure === undefined) return;
    known.delete(serverId);
    bytes -= structure.byteLength;
  }

  function keep(serverId: string, structure: ServerStructure): void {
    // Deleted first, so that the map stays in the order of reading.
    forget(serverId);
    known.set(serverId, structure);
    bytes += structure.byteLength;
    for (const oldest of known.keys()) {
      if (known.size <= serverStructuresMax && bytes <= bytesMax) return;
      forget(oldest);
    }
  }

  return async (versions: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, ServerStructure>> => {
    const found = new Map<string, ServerStructure>();
    const unknown: string[] = [];
    for (const [serverId, version] of versions) {
      const structure = known.get(serverId);
      if (structure?.version === version) found.set(serverId, structure);
      else unknown.push(serverId);
    }
    let total = [...found.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
    while (unknown.length > 0) {
      for (const row of await database.query(structureStatement, [unknown.splice(0, structuresReadMax)])) {
        const structure = toStructure(row);
        keep(row.id, structure);
        found.set(row.id, structure);
        total += structure.byteLength;
      }
      if (total > totalMax) throw new RangeError(`The servers of one READY have more than ${totalMax} characters`);
    }
    return found;
  };
}

/** Finds the structures of servers by id, for the versions that are asked for. */
export type FindStructures = ReturnType<typeof createServerStructures>;

function toStructure(row: z.infer<typeof Row>): ServerStructure {
  const serverWithFace = row.face === "{}" ? row.server : `${row.server.slice(0, -1)},${row.face.slice(1)}`;
  const texts = [row.server, serverWithFace, row.roles, row.roles_with_rights, row.channels ?? "", row.overrides ?? ""];
  return {
    version: row.version,
    byteLength: texts.reduce((sum, text) => sum + text.length, 0),
    server: row.server,
    serverWithFace,
    roles: row.roles,
    rolesWithRights: row.roles_with_rights,
    rules: parseViewRules(row),
    // A line per channel: its id, then its overrides. JSON has no line breaks of its own.
    overrides: new Map(
      (row.overrides?.split("\n") ?? []).map((line) => [line.slice(0, uuidLength), line.slice(uuidLength)]),
    ),
  };
}

const uuidLength = 36;
