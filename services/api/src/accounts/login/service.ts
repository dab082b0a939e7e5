import type { AccessTokens } from "@parley/auth";
import { type AuthResponse, errorTexts, forbidden, ServiceError } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { findAccount, findCredentials } from "../../people/users/repository.js";
import { type AccountRow, toUser } from "../../people/users/resource.js";
import type { AccountMails } from "../account-mails/service.js";
import type { Device } from "../auth/device.js";
import type { LoginAttempt, LoginAttempts } from "../auth/login-attempts.js";
import type { AuthenticationAnswer } from "../auth/passkey-answers.js";
import { verifyPassword } from "../auth/passwords.js";
import type { SessionOwner } from "../auth/repository.js";
import type { Login } from "../auth/schema.js";
import type { AccountSessions, StartedSession } from "../auth/sessions.js";
import type { PasskeyRequestOptions } from "../passkeys/schema.js";
import type { PasskeySignIn } from "../passkeys/sign-in.js";
import { requireNotWaiting } from "../registration/admission.js";
import type { SecondFactor } from "../second-factor/service.js";
import type { LoginOutcomes } from "./login-outcomes.js";

type Credentials = Pick<Login, "username" | "password">;

export function createAuthService(options: {
  database: Database;
  sessions: AccountSessions;
  accessTokens: AccessTokens;
  attempts: LoginAttempts;
  mails: AccountMails;
  secondFactor: SecondFactor;
  passkeys: PasskeySignIn;
  outcomes: LoginOutcomes;
}) {
  const { database, sessions, accessTokens, attempts, mails, secondFactor, passkeys, outcomes } = options;

  /** Notes how a login ends. @param username of a login by name; null where the account is not known before */
  const noted = async (username: string | null, { requestId }: Device, login: () => Promise<AuthResponse>) => {
    try {
      const answer = await login();
      outcomes.succeeded({ userId: answer.user.id, requestId });
      return answer;
    } catch (error) {
      // Whether there is an account is the same for the caller, who waits for this look alike.
      const account =
        error instanceof ServiceError && username !== null
          ? await findAccount(database, { username }).catch(() => null)
          : null;
      outcomes.failed(error, { userId: account?.id ?? null, requestId });
      throw error;
    }
  };

  /** @returns the account, and the attempt, which counts as failed still */
  const requireCredentials = async ({ username, password }: Credentials, { address }: Device) => {
    const attempt = await attempts.ofPassword(username, address);
    const account = await findCredentials(database, { username });
    if (!(await verifyPassword(account?.password_hash ?? null, password)) || account === null) {
      throw new ServiceError("unauthenticated", errorTexts.wrong_credentials);
    }
    return { attempt, account };
  };

  /** @param login.attempt of the password, which was right; no failed login when only the code is missing */
  const requireSecondFactor = async (
    userId: string,
    { code, passkey }: Pick<Login, "code" | "passkey">,
    { attempt, device }: { attempt: LoginAttempt; device: Device },
  ): Promise<void> => {
    const result = await secondFactor.check(userId, code, device);
    if (result === "wrong") throw new ServiceError("unauthenticated", errorTexts.second_factor_invalid);
    if (result !== "missing") return;
    if (passkey !== undefined) {
      if (await passkeys.isSecondFactor(userId, passkey)) return;
      throw new ServiceError("unauthenticated", errorTexts.passkey_invalid);
    }
    await attempt.withdraw();
    throw new ServiceError("unauthenticated", errorTexts.second_factor_required);
  };

  const respond = (account: AccountRow, { session, refreshToken }: StartedSession): AuthResponse => ({
    access_token: accessTokens.issue({ userId: account.id, session }),
    refresh_token: refreshToken,
    user: toUser(account),
  });

  const begin = async (account: AccountRow & SessionOwner & { disabled_at: Date | null }, device: Device) => {
    if (account.disabled_at !== null) throw forbidden(errorTexts.account_disabled);
    await requireNotWaiting(database, account, () => {
      if (account.email !== null) mails.sendConfirmation({ id: account.id, email: account.email }, device);
    });
    return respond(account, await sessions.start(database, account, device.userAgent));
  };

  return {
    login: (login: Login, device: Device): Promise<AuthResponse> =>
      noted(login.username, device, async () => {
        const { attempt, account } = await requireCredentials(login, device);
        await requireSecondFactor(account.id, login, { attempt, device });
        await attempt.succeed(account.id);
        return begin(account, device);
      }),

    /** Logs in with a passkey alone. */
    loginWithPasskey: (answer: AuthenticationAnswer, device: Device): Promise<AuthResponse> =>
      noted(null, device, async () => {
        const owner = await passkeys.authenticate(answer);
        const account = await findCredentials(database, { id: owner.id });
        // Deleted in between.
        if (account === null) throw new ServiceError("unauthenticated", errorTexts.passkey_invalid);
        await attempts.remember(account, device.address);
        return begin({ ...account, ...owner }, device);
      }),

    /**
     * The request that a passkey has to answer to stand in for the code; it needs name and password, because it names
     * the account's passkeys.
     */
    async secondFactorOptions(credentials: Credentials, device: Device): Promise<PasskeyRequestOptions> {
      const { attempt, account } = await requireCredentials(credentials, device);
      await attempt.withdraw();
      return passkeys.beginSecondFactor(account.id);
    },

    async refresh(token: string): Promise<AuthResponse> {
      const rotated = await sessions.rotate(token);
      if (rotated === "disabled") throw forbidden(errorTexts.account_disabled);
      const invalid = new ServiceError("unauthenticated", errorTexts.refresh_token_invalid);
      if (rotated === null) throw invalid;
      const account = await findAccount(database, { id: rotated.userId });
      // Deleted in between.
      if (account === null) throw invalid;
      return respond(account, rotated);
    },
  };
}

export type AuthService = ReturnType<typeof createAuthService>;
