import { conflict, createEvent, forbidden, type JoinedServer } from "@parley/contracts";
import { isUniqueViolation, type Transaction } from "@parley/database";
import { lockServer } from "@parley/moderation";
import type { Emit } from "@parley/outbox";

/**
 * Makes a user a member, in the caller's transaction; the server's events reach their open connections from then on.
 *
 * @throws ServiceError 403 when banned, 409 when already a member
 */
export async function addMember(
  transaction: Transaction,
  emit: Emit,
  { serverId, userId }: { serverId: string; userId: string },
): Promise<void> {
  // A join and a ban of the same user at once must not both succeed.
  await lockServer(transaction, serverId);
  const key = { server_id_user_id: { server_id: serverId, user_id: userId } };
  if ((await transaction.prisma.ban.findUnique({ where: key })) !== null) {
    throw forbidden("You are banned from this server");
  }
  try {
    await transaction.prisma.member.create({ data: { server_id: serverId, user_id: userId } });
  } catch (error) {
    if (isUniqueViolation(error)) throw conflict("Already a member of this server");
    throw error;
  }
  emit(createEvent("SERVER_JOINED", { user_id: userId }, { server_id: serverId, user_id: userId }));
}

/** Answer of every way to become a member (contract.md 5.2, 6.4). */
export function joined(serverId: string): JoinedServer {
  return { message: "Joined server", server_id: serverId };
}
