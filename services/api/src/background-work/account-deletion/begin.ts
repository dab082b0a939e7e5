import { randomBytes } from "node:crypto";
import { createEvent, errorTexts, invalidInput } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Transaction } from "@parley/database/prisma";
import type { Emit } from "@parley/outbox";
import { lockAccount } from "../../access/caps.js";
import { endPasswordResets } from "../../resources/auth/password-reset.js";
import { endAllSessions } from "../../resources/auth/sessions.js";
import { claimSeconds } from "./limits.js";

const claimStatement = defineStatement({
  name: "account_deletion_begin",
  text: `INSERT INTO account_deletions (user_id, claimed_until) VALUES ($1, now() + make_interval(secs => $2))
    ON CONFLICT DO NOTHING`,
});

/**
 * Disables an account in the caller's transaction: from the commit on, its sessions have ended, its personal data is
 * removed, and its name is replaced. Its other rows are removed later, by `AccountDeletion.finish`.
 *
 * @throws ServiceError 400 while the account owns servers, 401 when its deletion has begun already
 */
export async function beginAccountDeletion(transaction: Transaction, emit: Emit, userId: string): Promise<void> {
  const { prisma } = transaction;
  await lockAccount(transaction, userId);
  if ((await prisma.server.findFirst({ where: { owner_id: userId }, select: { id: true } })) !== null) {
    throw invalidInput(errorTexts.account_owns_servers);
  }
  await endAllSessions(transaction, userId);
  await prisma.user.update({
    where: { id: userId },
    data: {
      // Cannot collide with a registered name: these have no hyphen.
      username: `deleted-${randomBytes(12).toString("hex")}`,
      email: null,
      email_verified_at: null,
      password_hash: null,
      avatar_url: null,
      bio: null,
      pronouns: null,
      custom_status: null,
      activity: null,
      is_admin: false,
      admin_by_setting: false,
      disabled_at: new Date(),
    },
    select: { id: true },
  });
  await prisma.userDirectoryEntry.deleteMany({ where: { user_id: userId } });
  await prisma.refreshSession.deleteMany({ where: { user_id: userId } });
  await endPasswordResets(transaction, userId);
  await prisma.emailVerification.deleteMany({ where: { user_id: userId } });
  const bots = await prisma.bot.updateManyAndReturn({
    where: { OR: [{ created_by: userId }, { user_id: userId }], revoked_at: null },
    data: { revoked_at: new Date() },
    select: { user_id: true },
  });
  for (const user_id of new Set([userId, ...bots.map((bot) => bot.user_id)])) {
    emit(createEvent("SESSION_CLOSE", { user_id }, { connection_id: null }));
  }
  await transaction.execute(claimStatement, [userId, claimSeconds]);
}
