import { createEvent, errorTexts, invalidInput, rateLimited } from "@parley/contracts";
import type { Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import type { AttemptCounts } from "../../platform/load/attempt-counts.js";
import { endSession } from "../auth/repository.js";
import { clockToleranceSeconds, logoutTokenAgeSeconds } from "./limits.js";
import type { Provider } from "./provider.js";
import { findEnded, useOnce } from "./repository.js";

/** @param options.attempts of tokens that turned out wrong, and of those that are being checked, by address */
export function createBackChannelLogout(options: {
  outbox: Outbox<Transaction>;
  provider: Provider;
  attempts: AttemptCounts;
}) {
  const { outbox, provider, attempts } = options;

  /**
   * Ends the sessions that a provider's logout token is about: their tokens are refused and their connections closed.
   *
   * @param address of the sender, which is counted before the token is read
   * @param readToken reads it from the body of the request
   * @throws ServiceError 400 for a token that is not to be believed, 429 after too many of these, 503 while the provider's keys
   * cannot be read
   */
  return async (address: string, readToken: () => Promise<string>): Promise<void> => {
    const attempt = await attempts.begin([`sign-out:${address}`]);
    if ("retryAfterSeconds" in attempt)
      throw rateLimited("logout_token_address", errorTexts.rate_limited, attempt.retryAfterSeconds);
    const token = await readToken();
    const logout = await provider.readLogoutToken(token).catch(async (error: unknown) => {
      await attempt.withdraw();
      throw error;
    });
    if (logout === null) throw invalidInput(errorTexts.logout_token_invalid);
    const keptSeconds = logoutTokenAgeSeconds + 2 * clockToleranceSeconds;
    const id = `logout ${JSON.stringify([logout.issuer, logout.id])}`;
    // A session ends once, so its event has no order to keep with others.
    await outbox.transaction([], async (transaction, emit) => {
      if (!(await useOnce(transaction, id, keptSeconds))) throw invalidInput(errorTexts.logout_token_invalid);
      for (const { user_id, session_id } of await findEnded(transaction, logout)) {
        await endSession(transaction, { userId: user_id, sessionId: session_id });
        emit(createEvent("SESSION_CLOSE", { user_id }, { connection_id: null, session_id }));
      }
    });
    await attempt.withdraw();
  };
}

/** Logout at the provider that ends sessions here (docs/protocol/accounts.md#29.4). */
export type BackChannelLogout = ReturnType<typeof createBackChannelLogout>;
