import type { Routing } from "@parley/contracts";
import type { Session } from "@parley/database";
import { requireMayMessage } from "../../access/may-message.js";

/** Who is in a channel of direct messages. */
export interface DirectAudience {
  readonly participants: readonly string[];
  readonly isGroup: boolean;
}

/** How events about a channel are routed: those of a group reach connections with `v=2` only (docs/interface.md#28.2). */
export function directRouting({ isGroup }: DirectAudience, channelId: string): Routing {
  return { order_key: channelId, version: isGroup ? 2 : undefined };
}

/**
 * For what reaches the others as a message does. Groups go on between people who have blocked each other.
 *
 * @throws ServiceError 403 for who may not write to the other of a pair (docs/interface.md#28.3)
 */
export async function requireMayWrite(
  connection: Pick<Session, "query">,
  senderId: string,
  { participants, isGroup }: DirectAudience,
): Promise<void> {
  if (!isGroup) await requireMayMessage(connection, senderId, participants);
}
