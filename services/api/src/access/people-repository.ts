import { defineStatement, isBlocked, mayMessage, type RawRow, type Session } from "@parley/database";

const refusedStatement = defineStatement({
  name: "message_refused",
  text: `SELECT r.id FROM unnest($2::uuid[]) AS r (id)
    WHERE r.id <> $1::uuid AND NOT ${mayMessage("$1::uuid", "r.id")} LIMIT 1`,
  row: (row: RawRow) => String(row.id),
});

const blockedStatement = defineStatement({
  name: "pair_blocked",
  text: `SELECT ${isBlocked("$1::uuid", "$2::uuid")} AS blocked`,
  row: ({ blocked }: RawRow) => blocked === true,
});

/** Whether the sender may write to all recipients, among whom they may be. */
export async function mayWriteTo(
  connection: Pick<Session, "query">,
  senderId: string,
  recipientIds: readonly string[],
): Promise<boolean> {
  return (await connection.query(refusedStatement, [senderId, [...recipientIds]])).length === 0;
}

/** Whether one of two users has blocked the other. */
export async function isPairBlocked(
  connection: Pick<Session, "query">,
  userId: string,
  otherId: string,
): Promise<boolean> {
  const [blocked] = await connection.query(blockedStatement, [userId, otherId]);
  return blocked === true;
}
