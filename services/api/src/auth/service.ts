import type { AccessTokens } from "@parley/auth";
import { type AuthResponse, conflict, errorTexts, rateLimited, ServiceError } from "@parley/contracts";
import { type Database, isUniqueViolation } from "@parley/database";
import { type AccountRow, accountColumns, toUser } from "../users/resource.js";
import { authErrors } from "./error-texts.js";
import type { LoginAttempts } from "./login-attempts.js";
import { hashPassword, verifyPassword } from "./passwords.js";
import type { Login, Registration } from "./schema.js";
import type { Sessions } from "./sessions.js";

export function createAuthService(options: {
  database: Database;
  sessions: Sessions;
  accessTokens: AccessTokens;
  attempts: LoginAttempts;
}) {
  const { database, sessions, accessTokens, attempts } = options;

  const respond = (account: AccountRow, refreshToken: string): AuthResponse => ({
    access_token: accessTokens.issue({ userId: account.id }),
    refresh_token: refreshToken,
    user: toUser(account),
  });

  return {
    async register({ username, password, email }: Registration): Promise<AuthResponse> {
      if (await exists(database, { username })) throw conflict(authErrors.usernameTaken);
      if (email !== null && (await exists(database, { email }))) throw conflict(authErrors.emailTaken);
      const password_hash = await hashPassword(password);
      try {
        return await database.transaction(async (transaction) => {
          const account = await transaction.prisma.user.create({
            data: { username, email, password_hash },
            select: accountColumns,
          });
          return respond(account, await sessions.start(transaction, account.id));
        });
      } catch (error) {
        if (isUniqueViolation(error, "users_username_key")) throw conflict(authErrors.usernameTaken);
        if (isUniqueViolation(error, "users_email_key")) throw conflict(authErrors.emailTaken);
        throw error;
      }
    },

    /** @param address of the client, as in the rate limits */
    async login({ username, password }: Login, address: string): Promise<AuthResponse> {
      const attempt = await attempts.begin(username, address);
      if ("retryAfterSeconds" in attempt) throw rateLimited(errorTexts.tooManyRequests, attempt.retryAfterSeconds);
      const account = await database.prisma.user.findUnique({
        where: { username },
        select: { ...accountColumns, password_hash: true },
      });
      if (!(await verifyPassword(account?.password_hash ?? null, password)) || account === null) {
        throw new ServiceError("unauthenticated", authErrors.wrongCredentials);
      }
      await attempt.succeed(account.id);
      return respond(account, await sessions.start(database, account.id));
    },

    async refresh(token: string): Promise<AuthResponse> {
      const rotated = await sessions.rotate(token);
      if (rotated === null) throw new ServiceError("unauthenticated", authErrors.refreshTokenInvalid);
      const account = await database.prisma.user.findUniqueOrThrow({
        where: { id: rotated.userId },
        select: accountColumns,
      });
      return respond(account, rotated.successor);
    },
  };
}

export type AuthService = ReturnType<typeof createAuthService>;

async function exists(database: Database, where: { username: string } | { email: string }): Promise<boolean> {
  return (await database.prisma.user.findUnique({ where, select: { id: true } })) !== null;
}
