import { Member } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import { memberText } from "@parley/moderation";
import { z } from "zod";
import type { Reading } from "./context.js";

const voice = { server_mute: z.boolean(), server_deaf: z.boolean() };
const StoredMember = Member.extend(voice);

/** SQL of a member as {@link memberText} has them, with what moderators did to their voice. */
export const storedMemberText = `left(${memberText}, -1)
  || ',"server_mute":' || m.server_mute || ',"server_deaf":' || m.server_deaf || '}'`;

export const readStoredMember = (text: string) => StoredMember.parse(JSON.parse(text));

const findMuted = defineStatement({
  name: "discord_muted_members",
  text: `SELECT user_id, server_mute, server_deaf FROM members
    WHERE server_id = $1::uuid AND user_id = ANY ($2::uuid[]) AND (server_mute OR server_deaf)`,
  row: z.object({ user_id: z.string(), ...voice }),
});

/** Members of a server as the api answers them, with what moderators did to their voice. */
export async function withVoice(database: Reading, serverId: string, members: readonly Member[]) {
  const ids = members.map(({ user_id }) => user_id);
  const rows = ids.length === 0 ? [] : await database.query(findMuted, [serverId, ids]);
  const muted = new Map(rows.map((row) => [row.user_id, row]));
  return members.map((member) => ({ ...member, ...muted.get(member.user_id) }));
}
