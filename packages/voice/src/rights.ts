import { columnsOf, type Database, defineStatement, rowsOfArrays } from "@parley/database";
import { accessColumns, accessRow, hasPermission, resolveAccess } from "@parley/permissions";
import { z } from "zod";
import { rightsBatchMax } from "./limits.js";
import type { Voice } from "./voice.js";

/** A user in a voice channel. */
interface Stay {
  userId: string;
  channelId: string;
}

const rightsStatement = defineStatement({
  name: "voice_rights",
  text: `SELECT asked.user_id, asked.channel_id, ${accessColumns("asked.user_id")}
    FROM ${rowsOfArrays("uuid", "uuid")} AS asked (user_id, channel_id)
    JOIN channels c ON c.id = asked.channel_id
    JOIN servers s ON s.id = c.server_id
    JOIN members m ON m.server_id = c.server_id AND m.user_id = asked.user_id`,
  row: accessRow.extend({ user_id: z.string(), channel_id: z.string() }),
});

/**
 * Rights to be in a voice channel: members with VIEW_CHANNEL and CONNECT_VOICE there. Any number of processes may enforce
 * them at once.
 */
export type VoiceRights = ReturnType<typeof createVoiceRights>;

export function createVoiceRights(options: {
  database: Pick<Database, "query">;
  voice: Pick<Voice, "leave" | "listServer" | "serversToCheck">;
}) {
  const { database, voice } = options;

  /** The stays without the right to it. Former members and deleted channels have no row. */
  async function findUnentitled(stays: readonly Stay[]): Promise<Stay[]> {
    const rows = await database.query(rightsStatement, columnsOf(stays, "userId", "channelId"));
    const entitled = new Set<string>();
    for (const row of rows) {
      const bits = resolveAccess(row, row.user_id);
      if (hasPermission(bits, "VIEW_CHANNEL") && hasPermission(bits, "CONNECT_VOICE")) {
        entitled.add(`${row.user_id} ${row.channel_id}`);
      }
    }
    return stays.filter(({ userId, channelId }) => !entitled.has(`${userId} ${channelId}`));
  }

  /**
   * Ends the voice states in the server whose users may not be in their channel any more. To be called after the commit
   * of each change of rights. Rejects when Redis or the database is out of reach; `enforceAll` ends the states later.
   */
  async function enforce(serverId: string): Promise<void> {
    const stays = await voice.listServer(serverId);
    for (let start = 0; start < stays.length; start += rightsBatchMax) {
      const unentitled = await findUnentitled(stays.slice(start, start + rightsBatchMax));
      await Promise.all(unentitled.map(({ userId, channelId }) => voice.leave(userId, channelId)));
    }
  }

  return {
    /** Whether all of these users may be in the voice channel. */
    async allow(channelId: string, userIds: readonly string[]): Promise<boolean> {
      return (await findUnentitled(userIds.map((userId) => ({ userId, channelId })))).length === 0;
    },
    enforce,
    /** Enforces in servers that were not checked for `afterMs`: for changes whose process died before `enforce`. */
    async enforceAll(options?: { afterMs: number }): Promise<void> {
      for (const serverId of await voice.serversToCheck(options)) await enforce(serverId);
    },
  };
}
