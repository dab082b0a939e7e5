import { defineStatement } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import type { Membership } from "@parley/moderation";
import { accessColumns, accessRow, resolveAccess } from "@parley/permissions";
import { z } from "zod";

/** What moderators did to a member's voice. */
export interface VoiceMarks {
  server_mute: boolean;
  server_deaf: boolean;
}

const marks = z.object({ server_mute: z.boolean(), server_deaf: z.boolean() });
const marksStatement = defineStatement({
  name: "voice_marks",
  text: "SELECT server_mute, server_deaf FROM members WHERE server_id = $1 AND user_id = $2",
  row: marks,
});

const setStatement = defineStatement({
  name: "voice_marks_set",
  text: `UPDATE members SET server_mute = coalesce($3, server_mute), server_deaf = coalesce($4, server_deaf)
    WHERE server_id = $1 AND user_id = $2`,
});

const bitsStatement = defineStatement({
  name: "voice_member_bits",
  text: `SELECT ${accessColumns("m.user_id")}
    FROM channels c JOIN servers s ON s.id = c.server_id JOIN members m ON m.server_id = s.id AND m.user_id = $2
    WHERE c.id = $1`,
  row: accessRow,
});

/** The marks of a member; none for a user without a membership. */
export async function findVoiceMarks(
  connection: Queryable,
  { serverId, userId }: Membership,
): Promise<VoiceMarks | undefined> {
  const [row] = await connection.query(marksStatement, [serverId, userId]);
  return row;
}

export async function setVoiceMarks(
  transaction: Transaction,
  { serverId, userId }: Membership,
  { server_mute, server_deaf }: Partial<VoiceMarks>,
): Promise<void> {
  await transaction.execute(setStatement, [serverId, userId, server_mute ?? null, server_deaf ?? null]);
}

/** The bits of a member in a channel of their server; 0 for others. */
export async function findBitsIn(connection: Queryable, channelId: string, userId: string): Promise<number> {
  const [row] = await connection.query(bitsStatement, [channelId, userId]);
  return row === undefined ? 0 : resolveAccess(row, userId);
}
