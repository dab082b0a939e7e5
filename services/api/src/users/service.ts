import { notFound, type PublicProfile, type User } from "@parley/contracts";
import type { Database } from "@parley/database";
import type { PresenceStatuses } from "@parley/presence";
import { accountColumns, toPublicProfile, toUser } from "./resource.js";
import type { UpdateUser } from "./schema.js";

export interface UserService {
  /** The caller's own account. */
  own(userId: string): Promise<User>;
  /** Updates the caller's account; a change of status, custom status or activity is announced to co-members. */
  update(userId: string, changes: UpdateUser): Promise<User>;
  /** What anybody may see of an account. */
  profile(userId: string): Promise<PublicProfile>;
}

export function createUserService(options: { database: Database; presence: PresenceStatuses }): UserService {
  const { database, presence } = options;
  return {
    async own(userId) {
      return toUser(await database.prisma.user.findUniqueOrThrow({ where: { id: userId }, select: accountColumns }));
    },

    async update(userId, { avatar_url, bio, pronouns, status, custom_status, activity }) {
      if (status !== undefined || custom_status !== undefined || activity !== undefined) {
        await presence.setStatus(userId, { status, custom_status, activity });
      }
      const account = await database.prisma.user.update({
        where: { id: userId },
        data: { avatar_url, bio, pronouns },
        select: accountColumns,
      });
      return toUser(account);
    },

    async profile(userId) {
      const account = await database.prisma.user.findUnique({ where: { id: userId }, select: accountColumns });
      if (account === null) throw notFound("User not found");
      return toPublicProfile(account);
    },
  };
}
