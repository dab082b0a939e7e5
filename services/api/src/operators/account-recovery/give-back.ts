import { generateToken, hashToken } from "@parley/auth";
import { createEvent } from "@parley/contracts";
import type { Transaction } from "@parley/database/prisma";
import type { Emit } from "@parley/outbox";
import { endAllSessions } from "../../accounts/auth/repository.js";
import { endEmailChanges } from "../../accounts/email-changes/repository.js";
import { endLinks } from "../../accounts/oidc/repository.js";
import { removePasskeys } from "../../accounts/passkeys/repository.js";
import { endSecondFactor } from "../../accounts/second-factor/repository.js";
import { replaceBotTokens } from "../../apps/bots/repository.js";

/**
 * Ends every way into an account but its password (docs/processes/security.md#ends): a user who registered the address before
 * its owner, or who used the account in between, may have set them. Its bots stay, and wait for new tokens.
 */
export async function giveBack(transaction: Transaction, emit: Emit, userId: string): Promise<void> {
  await removePasskeys(transaction, userId);
  await endSecondFactor(transaction, userId);
  await endLinks(transaction, userId);
  await endEmailChanges(transaction, userId, ["confirm"]);
  const bots = await replaceBotTokens(transaction, userId, () => hashToken(generateToken()));
  for (const user_id of [userId, ...bots]) {
    await endAllSessions(transaction, user_id);
    emit(createEvent("SESSION_CLOSE", { user_id }, { connection_id: null }));
  }
}
