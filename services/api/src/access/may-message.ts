import { errorTexts, forbidden } from "@parley/contracts";
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

/**
 * The one rule of every way to a person (docs/interface.md#28.3): new channels of direct messages, everything that is
 * written in them, and invitations to groups. Nothing of it is kept in memory, so it is in force on all processes at once.
 *
 * @param recipientIds all who would get it; the sender may be among them
 * @throws ServiceError 403 when one of them has blocked the sender, or is blocked, or takes no messages of theirs
 */
export async function requireMayMessage(
  connection: Pick<Session, "query">,
  senderId: string,
  recipientIds: readonly string[],
): Promise<void> {
  const refused = await connection.query(refusedStatement, [senderId, [...recipientIds]]);
  if (refused.length > 0) throw forbidden(errorTexts.cannot_message_user);
}

/** The same for asking somebody for friendship, which `dms_from` does not limit: it is the way to become a friend. */
export async function requireNotBlocked(
  connection: Pick<Session, "query">,
  userId: string,
  otherId: string,
): Promise<void> {
  const [blocked] = await connection.query(blockedStatement, [userId, otherId]);
  if (blocked === true) throw forbidden(errorTexts.cannot_message_user);
}
