import { mayViewChannel } from "@parley/permissions";
import { readyCharactersMax } from "../limits.js";
import type { ConnectionQuery } from "../query/connection-query.js";
import { crc32, isInShard } from "../query/shard.js";
import type { ReadyRow } from "./ready-statement.js";
import type { ServerStructure } from "./server-structures.js";

/** The part of a connection's query that decides the content of READY. */
export type ReadyQuery = Pick<ConnectionQuery, "version" | "shard">;

/**
 * The payload of READY as JSON text (docs/protocol/connecting.md#14.4).
 *
 * @param structures of the user's servers; deleted servers are missing
 * @param query its shard is that of the servers to name; DM channels are in shard 0
 * @throws RangeError when it would be longer than {@link readyCharactersMax}, before it is concatenated
 */
export function readyPayload(
  user: ReadyRow,
  structures: ReadonlyMap<string, ServerStructure>,
  { version, shard }: ReadyQuery,
): string {
  const servers: string[] = [];
  const unread: string[] = [];
  const mentions: string[] = [];
  const roles: string[] = [];
  const overrides: string[] = [];
  const threads: string[] = [];
  const { dmChannels, dmUnread } = isInShard(shard, null) ? directOf(user, version) : { dmChannels: "", dmUnread: "" };
  let length = dmChannels.length;
  for (const serverId of user.servers.keys()) {
    const structure = structures.get(serverId);
    if (structure === undefined || (shard !== null && !isInShard(shard, crc32(serverId)))) continue;
    const server = version === 1 ? structure.server : structure.serverWithFace;
    servers.push(server);
    const serverRoles = version === 1 ? structure.roles : structure.rolesWithRights;
    roles.push(`"${serverId}":${serverRoles}`);
    length += server.length + serverRoles.length;
    const { rules } = structure;
    const member = { id: user.userId, roles: user.roles };
    for (const [channelId, rule] of rules.channels) {
      const count = user.unread.get(channelId);
      const texts = structure.overrides.get(channelId);
      const ofThreads = user.threads.get(channelId);
      const hasNothing = count === undefined && texts === undefined && ofThreads === undefined;
      if (hasNothing || !mayViewChannel(rules, rule, member)) continue;
      if (ofThreads !== undefined) threads.push(...ofThreads);
      if (count !== undefined) unread.push(`{"channel_id":"${channelId}","unread_count":${count}}`);
      const mentioned = user.mentions.get(channelId);
      if (mentioned !== undefined) mentions.push(`{"channel_id":"${channelId}","count":${mentioned}}`);
      if (texts === undefined) continue;
      overrides.push(`"${channelId}":[${texts}]`);
      length += texts.length;
    }
    if (length > readyCharactersMax) throw new RangeError(`READY has more than ${readyCharactersMax} characters`);
  }
  if (dmUnread !== "") unread.push(dmUnread);
  return `{"user":${user.account},"servers":[${servers}],"dm_channels":[${dmChannels}],"unread_counts":[${unread}],"mention_counts":[${mentions}],${version === 1 ? "" : `"thread_unreads":[${threads}],`}"server_roles":{${roles}},"channel_overrides":{${overrides}}}`;
}

/** Groups are for connections with `v=2` only (docs/protocol/conversations.md#28.2). */
function directOf({ withGroups, ...user }: ReadyRow, version: ReadyQuery["version"]) {
  return version === 1 ? user : (withGroups ?? user);
}
