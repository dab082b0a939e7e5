import type { AccessTokens } from "@parley/auth";
import { type AuthResponse, conflict, errorTexts, invalidInput } from "@parley/contracts";
import { isUniqueViolation } from "@parley/database";
import type { Database, Transaction } from "@parley/database/prisma";
import { createAccount, findAccount, findAccountByAddress, isAddressTaken } from "../../people/users/repository.js";
import { toUser } from "../../people/users/resource.js";
import { OtherAnswer } from "../../platform/http/route.js";
import type { AccountMails } from "../account-mails/service.js";
import type { Device } from "../auth/device.js";
import { hashPassword } from "../auth/passwords.js";
import type { Registration } from "../auth/schema.js";
import type { AccountSessions } from "../auth/sessions.js";
import { admission, type Registrations } from "./admission.js";
import { type Beginner, networkOf, type RegistrationPace } from "./pace.js";
import type { Proofs } from "./proofs.js";
import { beginWaiting } from "./repository.js";

export function createRegistration(options: {
  database: Database;
  sessions: AccountSessions;
  accessTokens: AccessTokens;
  mails: AccountMails;
  registrations: Registrations;
  proofs: Proofs;
  pace: RegistrationPace;
}) {
  const { database, sessions, accessTokens, mails, registrations, pace } = options;

  /** @returns the account, and its first session unless it has to wait */
  const insert = async (
    transaction: Transaction,
    { username, email, application }: Registration,
    device: Device,
    { password_hash, settings, inviteCode }: Awaited<ReturnType<typeof admission>> & { password_hash: string },
  ) => {
    const registered_with = inviteCode === null ? null : await useInvite(registrations, transaction, inviteCode);
    const terms_version = settings.termsVersion ?? 0;
    const account = await createAccount(transaction, {
      username,
      email,
      password_hash,
      registered_with,
      terms_version,
    });
    const confirms = settings.email === "required";
    if (!confirms && !settings.approval)
      return { account, started: await sessions.start(transaction, account, device.userAgent) };
    const { language, address } = device;
    const waiting = { userId: account.id, confirms, isApproved: !settings.approval, application, language };
    await beginWaiting(transaction, { ...waiting, network: networkOf(address) });
    return { account, started: null };
  };

  /** @throws ServiceError where the registration is not allowed, or its name or address is taken */
  const store = async (registration: Registration, device: Device, beginner: Beginner) => {
    const { username, password, email } = registration;
    const admitted = await admission(options, registration, beginner);
    if ((await findAccount(database, { username })) !== null) throw conflict(errorTexts.username_taken);
    if (email !== null && (await findAccountByAddress(database, email)) !== null)
      throw conflict(errorTexts.email_taken);
    const password_hash = await hashPassword(password);
    try {
      const stored = await database.transaction((transaction) =>
        insert(transaction, registration, device, { ...admitted, password_hash }),
      );
      return { ...stored, settings: admitted.settings };
    } catch (error) {
      if (isUniqueViolation(error, "users_username_key")) throw conflict(errorTexts.username_taken);
      if (isAddressTaken(error)) throw conflict(errorTexts.email_taken);
      throw error;
    }
  };

  return {
    /** Registers an account. One that has to wait is answered with its name alone. */
    async register(registration: Registration, device: Device): Promise<AuthResponse | OtherAnswer> {
      const { username, email } = registration;
      const beginner = pace.begin(device.address);
      let isStored = false;
      try {
        const { account, started, settings } = await store(registration, device, beginner);
        isStored = true;
        if (email !== null) {
          const addressee = { id: account.id, email };
          if (settings.email === "required") mails.sendConfirmation(addressee, device);
          else mails.sendVerification(addressee, device.language);
        }
        if (started === null) return new OtherAnswer(202, { pending: true, username });
        return {
          access_token: accessTokens.issue({ userId: account.id, session: started.session }),
          refresh_token: started.refreshToken,
          user: toUser(account),
        };
      } finally {
        await beginner.end(isStored);
      }
    },
  };
}

export type RegistrationService = ReturnType<typeof createRegistration>;

/** Counts a use of the invite, and returns its id. */
async function useInvite(registrations: Registrations, transaction: Transaction, code: string): Promise<string> {
  const inviteId = await registrations.useInvite(transaction, code);
  if (inviteId === null) throw invalidInput(errorTexts.invite_code_required);
  return inviteId;
}
