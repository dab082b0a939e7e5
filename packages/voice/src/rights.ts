import { type Database, defineStatement, rowsOfArrays } from "@parley/database";
import { hasPermission, resolveChannelPermissions } from "@parley/permissions";
import { z } from "zod";
import { rightsBatchMax } from "./limits.js";
import type { Voice } from "./voice.js";

/** A user in a voice channel. */
interface Stay {
  userId: string;
  channelId: string;
}

/** Who may stay in voice channels: those with VIEW_CHANNEL and CONNECT_VOICE there. */
export interface VoiceRights {
  /** Whether all of these users may be in the voice channel. */
  allow(channelId: string, userIds: readonly string[]): Promise<boolean>;
  /**
   * Ends the voice states in the server whose users may not be in their channel any more; call it after the commit of
   * whatever changes rights. Rejects when Redis or the database is out of reach: {@link VoiceRights.enforceAll} follows.
   */
  enforce(serverId: string): Promise<void>;
  /** Does so for servers that nobody has checked for a while, so that no change is missed whose process died. */
  enforceAll(options?: { afterMs: number }): Promise<void>;
}

const rightsStatement = defineStatement({
  name: "voice_rights",
  text: `SELECT asked.user_id, asked.channel_id, s.owner_id,
      coalesce((
        SELECT json_agg(json_build_object('id', r.id, 'permissions', r.permissions))
        FROM member_roles mr JOIN roles r ON r.id = mr.role_id
        WHERE mr.server_id = c.server_id AND mr.user_id = asked.user_id), '[]') AS roles,
      coalesce((
        SELECT json_agg(json_build_object('role_id', o.role_id, 'user_id', o.user_id, 'allow', o.allow, 'deny', o.deny))
        FROM channel_overrides o
        WHERE o.channel_id = c.id AND (o.user_id = asked.user_id OR o.role_id IS NOT NULL)), '[]') AS overrides
    FROM ${rowsOfArrays("uuid", "uuid")} AS asked (user_id, channel_id)
    JOIN channels c ON c.id = asked.channel_id
    JOIN servers s ON s.id = c.server_id
    JOIN members m ON m.server_id = c.server_id AND m.user_id = asked.user_id`,
  row: z.object({
    user_id: z.string(),
    channel_id: z.string(),
    owner_id: z.string(),
    roles: z.array(z.object({ id: z.string(), permissions: z.int() })),
    overrides: z.array(
      z.object({ role_id: z.string().nullable(), user_id: z.string().nullable(), allow: z.int(), deny: z.int() }),
    ),
  }),
});

/** Voice rights for one process; any number of processes may enforce them at once. */
export function createVoiceRights(options: {
  database: Pick<Database, "query">;
  voice: Pick<Voice, "leave" | "listServer" | "serversToCheck">;
}): VoiceRights {
  const { database, voice } = options;

  /** Those who may not be where they are. Who is no member, or in a channel that is gone, has no row. */
  async function findUnentitled(stays: readonly Stay[]): Promise<Stay[]> {
    const rows = await database.query(rightsStatement, [
      stays.map(({ userId }) => userId),
      stays.map(({ channelId }) => channelId),
    ]);
    const entitled = new Set<string>();
    for (const { user_id: userId, channel_id, owner_id, roles, overrides } of rows) {
      const bits = resolveChannelPermissions({ isOwner: owner_id === userId, userId, roles, overrides });
      if (hasPermission(bits, "VIEW_CHANNEL") && hasPermission(bits, "CONNECT_VOICE")) {
        entitled.add(`${userId} ${channel_id}`);
      }
    }
    return stays.filter(({ userId, channelId }) => !entitled.has(`${userId} ${channelId}`));
  }

  async function enforce(serverId: string): Promise<void> {
    const stays = await voice.listServer(serverId);
    for (let start = 0; start < stays.length; start += rightsBatchMax) {
      const unentitled = await findUnentitled(stays.slice(start, start + rightsBatchMax));
      await Promise.all(unentitled.map(({ userId, channelId }) => voice.leave(userId, channelId)));
    }
  }

  return {
    async allow(channelId, userIds) {
      return (await findUnentitled(userIds.map((userId) => ({ userId, channelId })))).length === 0;
    },
    enforce,
    async enforceAll(options) {
      for (const serverId of await voice.serversToCheck(options)) await enforce(serverId);
    },
  };
}
