import { errorTexts, notFound, type PublicProfile, type User } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import type { PresenceStatuses } from "@parley/presence";
import { accountColumns, toPublicProfile, toUser } from "./resource.js";
import type { UpdateUser } from "./schema.js";

export function createUserService(options: { database: Database; presence: PresenceStatuses }) {
  const { database, presence } = options;
  return {
    /** The caller's own account. */
    async own(userId: string): Promise<User> {
      return toUser(await database.prisma.user.findUniqueOrThrow({ where: { id: userId }, select: accountColumns }));
    },

    /** Updates the caller's account; a change of status, custom status or activity is announced to co-members. */
    async update(
      userId: string,
      { avatar_url, bio, pronouns, status, custom_status, activity }: UpdateUser,
    ): Promise<User> {
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

    /** The public fields of an account. */
    async profile(userId: string): Promise<PublicProfile> {
      const account = await database.prisma.user.findUnique({
        where: { id: userId, deletion: null },
        select: accountColumns,
      });
      if (account === null) throw notFound(errorTexts.user_not_found);
      return toPublicProfile(account);
    },
  };
}

export type UserService = ReturnType<typeof createUserService>;
