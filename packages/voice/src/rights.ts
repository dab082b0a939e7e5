import { columnsOf, type Database, defineStatement, rowsOfArrays } from "@parley/database";
import { accessColumns, accessRow, hasPermission, resolveAccess } from "@parley/permissions";
import { z } from "zod";
import { rightsBatchMax } from "./limits.js";
import type { Stay, Voice } from "./voice.js";

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
  voice: Pick<Voice, "decide" | "leave" | "listServer" | "serversToCheck">;
}) {
  const { database, voice } = options;

  /** The bits of users in their channels, by both ids. Former members and deleted channels have none. */
  async function findBits(stays: readonly Stay[]): Promise<(stay: Stay) => number> {
    const rows = await database.query(rightsStatement, columnsOf(stays, "userId", "channelId"));
    const bits = new Map(rows.map((row) => [`${row.user_id} ${row.channel_id}`, resolveAccess(row, row.user_id)]));
    return ({ userId, channelId }) => bits.get(`${userId} ${channelId}`) ?? 0;
  }

  const isEntitled = (bits: number, { isMoved }: Stay) =>
    hasPermission(bits, "VIEW_CHANNEL") && (isMoved === true || hasPermission(bits, "CONNECT_VOICE"));

  /**
   * Ends the voice states in the server whose users may not be in their channel any more, and says of the others who may
   * not speak. To be called after the commit of each change of rights. Rejects when Redis or the database is out of reach;
   * `enforceAll` does it later.
   */
  async function enforce(serverId: string): Promise<void> {
    const stays = await voice.listServer(serverId);
    for (let start = 0; start < stays.length; start += rightsBatchMax) {
      const batch = stays.slice(start, start + rightsBatchMax);
      const bitsOf = await findBits(batch);
      await Promise.all(
        batch.map(async (stay) => {
          const { userId, channelId, isSuppressed = false } = stay;
          const bits = bitsOf(stay);
          const suppressed = !hasPermission(bits, "SPEAK");
          if (!isEntitled(bits, stay)) await voice.leave(userId, channelId);
          else if (suppressed !== isSuppressed) await voice.decide({ userId, serverId, channelId }, { suppressed });
        }),
      );
    }
  }

  return {
    /** Whether all of these users may be in the voice channel. */
    async allow(channelId: string, userIds: readonly string[]): Promise<boolean> {
      const stays = userIds.map((userId) => ({ userId, channelId }));
      const bitsOf = await findBits(stays);
      return stays.every((stay) => isEntitled(bitsOf(stay), stay));
    },
    enforce,
    /** Enforces in servers that were not checked for `afterMs`: for changes whose process died before `enforce`. */
    async enforceAll(options?: { afterMs: number }): Promise<void> {
      for (const serverId of await voice.serversToCheck(options)) await enforce(serverId);
    },
  };
}
