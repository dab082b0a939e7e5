import { createEvent, notFound, type PublicProfile, type User } from "@parley/contracts";
import { type Database, defineStatement, type RawRow } from "@parley/database";
import { type Messaging, publishLive } from "@parley/messaging";
import { type AccountRow, accountColumns, toPublicProfile, toStatus, toUser } from "./resource.js";
import type { UpdateUser } from "./schema.js";

export interface UserService {
  /** The caller's own account. */
  own(userId: string): Promise<User>;
  /** Updates the caller's account; a change of status, custom status or activity is announced to co-members. */
  update(userId: string, changes: UpdateUser): Promise<User>;
  /** What anybody may see of an account. */
  profile(userId: string): Promise<PublicProfile>;
}

const serverIdsStatement = defineStatement({
  name: "user_server_ids",
  text: "SELECT server_id FROM members WHERE user_id = $1",
  row: (row: RawRow) => String(row.server_id),
});

export function createUserService({ database, messaging }: { database: Database; messaging: Messaging }): UserService {
  const announcePresence = async (account: AccountRow) => {
    const server_ids = await database.query(serverIdsStatement, [account.id]);
    if (server_ids.length === 0) return;
    publishLive(
      messaging,
      createEvent(
        "PRESENCE_UPDATE",
        { user_id: account.id, server_ids },
        {
          user_id: account.id,
          status: toStatus(account.status),
          custom_status: account.custom_status,
          activity: account.activity,
        },
      ),
    );
  };

  return {
    async own(userId) {
      return toUser(await database.prisma.user.findUniqueOrThrow({ where: { id: userId }, select: accountColumns }));
    },

    async update(userId, { avatar_url, bio, pronouns, status, custom_status, activity }) {
      const account = await database.prisma.user.update({
        where: { id: userId },
        data: { avatar_url, bio, pronouns, status, custom_status, activity },
        select: accountColumns,
      });
      if (status !== undefined || custom_status !== undefined || activity !== undefined) {
        await announcePresence(account);
      }
      return toUser(account);
    },

    async profile(userId) {
      const account = await database.prisma.user.findUnique({ where: { id: userId }, select: accountColumns });
      if (account === null) throw notFound("User not found");
      return toPublicProfile(account);
    },
  };
}
