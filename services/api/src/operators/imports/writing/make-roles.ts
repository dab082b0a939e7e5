import type { RoleRecord } from "@parley/archives";
import { allPermissionBits, caps, defaultRoleColor, permissionBits, rightNames, rightsOf } from "@parley/contracts";
import { lockServer } from "@parley/moderation";
import { countRoles, findHighestPosition, insertRole, updateEveryone } from "../../../community/roles/repository.js";
import { positionMax } from "../../../platform/http/input.js";
import { recordsOf } from "../reading/repository.js";
import { findItems, putItems } from "./repository.js";
import { nameOr, pastTime, type Servers, type Structure, step, type Writing } from "./writing.js";

/** Rights and places come from exports of Parley only (docs/protocol/moving.md#32). */
export async function makeRoles(writing: Writing, servers: Servers): Promise<Structure["roles"]> {
  const { importer, importId, workspace, row, skipped } = writing;
  const isOwn = row.source === "parley";
  const known = await findItems(importer.database, workspace, "role");
  const roles: Structure["roles"] = new Map();
  const records: RoleRecord[] = [];
  for await (const record of recordsOf<RoleRecord>(importer.database, importId, "role")) records.push(record);
  // Each of another service comes above those before it; exports of Parley keep their own order where they have no places.
  if (!isOwn) records.sort((one, other) => one.position - other.position);
  for (const record of records) {
    const server = servers.get(record.server);
    if (server === undefined) continue;
    const serverId = server.id;
    const permissions = isOwn ? Number(record.permissions) & allPermissionBits : 0;
    const rights = isOwn ? rightNames.filter((name) => record.rights?.includes(name)) : [];
    if (record.everyone === true) {
      roles.set(record.id, { id: serverId, serverId });
      if (!server.isNew || !isOwn) continue;
      const given = record.rights === undefined ? undefined : rights;
      const columns = { permissions: permissions & ~permissionBits.ADMINISTRATOR, rights: given };
      await step(writing, (transaction) => updateEveryone(transaction, serverId, columns));
      continue;
    }
    const make = () =>
      step(writing, async (transaction) => {
        await lockServer(transaction, serverId);
        if ((await countRoles(transaction, serverId)) >= caps.roles.max) return null;
        const { id } = await insertRole(transaction, {
          server_id: serverId,
          name: nameOr(record.name, "role"),
          permissions,
          rights: rightsOf(rights),
          mentionable: isOwn && record.mentionable === true,
          color: /^#[0-9a-f]{6}$/i.test(record.color ?? "") ? (record.color ?? "") : defaultRoleColor,
          position:
            isOwn && server.isNew
              ? Math.min(record.position, positionMax)
              : (await findHighestPosition(transaction, serverId)) + 1,
          ...(record.createdAt === undefined ? {} : { created_at: pastTime(record.createdAt) }),
        });
        await putItems(transaction, writing, "role", [{ external_id: record.id, target_id: id }]);
        return id;
      });
    const id = known.get(record.id)?.target_id ?? (await make());
    if (id === null) skipped.add("role", "the server has as many as it may", record.name);
    else roles.set(record.id, { id, serverId });
  }
  return roles;
}
