import { randomBytes } from "node:crypto";
import { errorTexts, forbidden } from "@parley/contracts";
import { isUniqueViolation } from "@parley/database";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Logger } from "@parley/service-runtime";
import { createAccount, findAccount, findAccountByAddress } from "../../people/users/repository.js";
import type { Oidc } from "../../platform/settings/oidc.js";
import { usernameOf, withSuffix } from "./claims.js";
import type { ProviderIdentity } from "./provider.js";
import { connectAccount, findConnected } from "./repository.js";

/** Others may take the same name, the same address or the same person at the same moment, each time. */
const attemptsMax = 5;

/**
 * The account that an identity at the provider is connected with. A first sign-in creates an account. A matching
 * address never claims an existing account: if the address is taken, the new account has none.
 *
 * @throws ServiceError 403 where sign-ins create no accounts
 */
export function createAccountOf({ database, oidc, logger }: { database: Database; oidc: Oidc; logger: Logger }) {
  async function provision(transaction: Transaction, person: ProviderIdentity, attempt: number): Promise<string> {
    const wanted = usernameOf(person.claims.names);
    const isTaken = attempt > 0 || (await findAccount(transaction, { username: wanted })) !== null;
    const username = isTaken ? withSuffix(wanted, randomBytes(3).toString("hex")) : wanted;
    const { email } = person.claims;
    const isAddressFree = email !== null && (await findAccountByAddress(transaction, email)) === null;
    const account = await createAccount(transaction, {
      username,
      ...(isAddressFree ? { email, email_verified_at: new Date() } : { email: null }),
      password_hash: null,
      registered_with: null,
    });
    await connectAccount(transaction, person, { userId: account.id, isNew: true });
    return account.id;
  }

  return async (person: ProviderIdentity): Promise<string> => {
    for (let attempt = 0; ; attempt += 1) {
      const connected = await findConnected(database, person);
      if (connected !== undefined) return connected;
      if (!oidc.isProvisioning) throw forbidden(errorTexts.sign_in_account_missing);
      try {
        const id = await database.transaction((transaction) => provision(transaction, person, attempt));
        logger.info({ user_id: id }, "an account was made for somebody who signed in at the provider");
        return id;
      } catch (error) {
        if (!isUniqueViolation(error) || attempt === attemptsMax) throw error;
      }
    }
  };
}

export type AccountOf = ReturnType<typeof createAccountOf>;
