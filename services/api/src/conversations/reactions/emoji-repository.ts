import { errorTexts, invalidInput } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";
import { customEmojiId } from "./emoji.js";

const knownStatement = (name: string, where: string) =>
  defineStatement({
    name,
    text: `SELECT EXISTS (SELECT FROM custom_emojis e WHERE e.id = $1 AND ${where}) AS is_known`,
    row: z.object({ is_known: z.boolean() }),
  });
const knownInServer = knownStatement("reaction_emoji_of_server", "e.server_id = $2");
const knownToMember = knownStatement(
  "reaction_emoji_of_member",
  "EXISTS (SELECT FROM members m WHERE m.server_id = e.server_id AND m.user_id = $2)",
);

/**
 * Checks the custom emoji of a new reaction (docs/protocol/objects.md#4.13).
 *
 * @param emoji as it is stored; all others pass
 * @param of its server: the message's, or any that the account is in
 * @throws ServiceError 400 for a custom emoji that is unknown there
 */
export async function requireUsableEmoji(
  connection: Queryable,
  emoji: string,
  of: { server: string } | { member: string },
): Promise<void> {
  const id = customEmojiId(emoji);
  if (id === null) return;
  const [row] =
    "server" in of
      ? await connection.query(knownInServer, [id, of.server])
      : await connection.query(knownToMember, [id, of.member]);
  if (row?.is_known !== true) throw invalidInput(errorTexts.emoji_unknown);
}
