import { defineStatement } from "@parley/database";
import type { Transaction } from "@parley/database/prisma";
import type { Membership } from "@parley/moderation";

const setStatement = defineStatement({
  name: "nickname_set",
  text: `UPDATE members SET nickname = $3::text
    WHERE server_id = $1 AND user_id = $2 AND nickname IS DISTINCT FROM $3::text`,
});

/** @returns false when the member has that nickname already, and for a user without a membership */
export async function setNickname(
  transaction: Transaction,
  { serverId, userId }: Membership,
  nickname: string | null,
): Promise<boolean> {
  return (await transaction.execute(setStatement, [serverId, userId, nickname])) > 0;
}
