import { errorTexts, forbidden } from "@parley/contracts";
import type { Session } from "@parley/database";
import { isPairBlocked, mayWriteTo } from "./people-repository.js";

/**
 * The one rule of every way to a person (docs/protocol/conversations.md#28.3): new channels of direct messages, everything that is
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
  if (!(await mayWriteTo(connection, senderId, recipientIds))) throw forbidden(errorTexts.cannot_message_user);
}

/** The same for asking somebody for friendship, which `dms_from` does not limit: it is the way to become a friend. */
export async function requireNotBlocked(
  connection: Pick<Session, "query">,
  userId: string,
  otherId: string,
): Promise<void> {
  if (await isPairBlocked(connection, userId, otherId)) throw forbidden(errorTexts.cannot_message_user);
}
