import { errorTexts, forbidden, invalidInput, ServiceError } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { findCredentials } from "../../people/users/repository.js";
import type { Device } from "./device.js";
import type { LoginAttempts } from "./login-attempts.js";
import { verifyPassword } from "./passwords.js";

/** For actions that a stolen access token must not allow. */
export function createRequirePassword({ database, attempts }: { database: Database; attempts: LoginAttempts }) {
  /**
   * Guesses count as failed logins do, so that an access token does not help to find the password.
   *
   * @throws ServiceError 401 when the account's deletion has begun, 403 when it is not the caller's password or the account has none, 429
   * after too many attempts
   */
  return async (userId: string, password: string, { address }: Device) => {
    const account = await findCredentials(database, { id: userId });
    if (account === null || account.disabled_at !== null)
      throw new ServiceError("unauthenticated", errorTexts.invalid_token);
    if (account.password_hash === null) throw forbidden(errorTexts.account_has_no_password);
    const attempt = await attempts.ofPassword(account.username, address);
    if (!(await verifyPassword(account.password_hash, password))) throw forbidden(errorTexts.wrong_password);
    await attempt.succeed(userId);
    return account;
  };
}

/** The same for changes whose wrong password is a wrong field: 400 in place of 403 (docs/protocol/accounts.md#33.5). */
export const withPasswordField =
  (requirePassword: RequirePassword): RequirePassword =>
  async (...asked) => {
    try {
      return await requirePassword(...asked);
    } catch (error) {
      if (error instanceof ServiceError && error.message === errorTexts.wrong_password)
        throw invalidInput(errorTexts.wrong_password);
      throw error;
    }
  };

/** Checks the caller's password once more and reads the account. */
export type RequirePassword = ReturnType<typeof createRequirePassword>;
