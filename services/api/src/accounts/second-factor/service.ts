import { randomInt } from "node:crypto";
import { hashToken, openSealedToken, sealToken } from "@parley/auth";
import { errorTexts, invalidInput } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { Secret, TOTP } from "otpauth";
import type { Device } from "../auth/device.js";
import type { LoginAttempts } from "../auth/login-attempts.js";
import {
  beginSecondFactor,
  confirmSecondFactor,
  countRecoveryCodes,
  findSecondFactor,
  usePeriod,
  useRecoveryCode,
} from "./repository.js";

/** Codes of the periods before and after the present one count as well: clocks differ. */
const periodsAside = 1;
const secretBytes = 20;
const recoveryCodeCount = 10;
const recoveryCodeLength = 16;
/** Without characters that look alike. */
const recoveryAlphabet = "23456789abcdefghjkmnpqrstuvwxyz";
const issuer = "Parley";

/**
 * @param options.secrets the present and former secret of the installation; secrets of accounts are encrypted with it
 */
export function createSecondFactor(options: {
  database: Database;
  attempts: LoginAttempts;
  secrets: readonly [string, ...string[]];
}) {
  const { database, attempts, secrets } = options;

  const open = (sealed: string): Secret => {
    for (const secret of secrets.slice(0, -1)) {
      try {
        return Secret.fromBase32(openSealedToken(secret, sealed, "second-factor"));
      } catch {
        // Encrypted with another of the secrets.
      }
    }
    return Secret.fromBase32(openSealedToken(secrets.at(-1) ?? secrets[0], sealed, "second-factor"));
  };

  /** The number of the period that the code is of; null for a wrong code. */
  const periodOf = (secret: Secret, code: string): number | null => {
    const totp = new TOTP({ secret });
    const timestamp = Date.now();
    const aside = totp.validate({ token: code, timestamp, window: periodsAside });
    return aside === null ? null : totp.counter({ timestamp }) + aside;
  };

  /** Uses up a code; false for a wrong one or one that was used. */
  const spend = async (userId: string, code: string, sealed: string): Promise<boolean> => {
    const period = /^\d{6}$/.test(code) ? periodOf(open(sealed), code) : null;
    return period === null
      ? useRecoveryCode(database, userId, hashToken(normalise(code)))
      : usePeriod(database, userId, period);
  };

  return {
    /**
     * Judges a code beside the right password: `none` is needed, one is `missing`, it is `wrong` or was used, or it is
     * `right` and used up now.
     *
     * @throws ServiceError 429 after too many wrong ones
     */
    async check(
      userId: string,
      code: string | undefined,
      { address }: Device,
    ): Promise<"none" | "missing" | "wrong" | "right"> {
      const factor = await findSecondFactor(database, userId);
      if (factor?.active !== true) return "none";
      if (code === undefined) return "missing";
      const attempt = await attempts.ofCode(userId, address);
      if (!(await spend(userId, code, factor.sealed_secret))) return "wrong";
      await attempt.withdraw();
      return "right";
    },

    /** Whether it is active, and how many recovery codes are left. */
    async state(userId: string): Promise<{ active: boolean; recovery_codes_left: number }> {
      const factor = await findSecondFactor(database, userId);
      const recovery_codes_left = await countRecoveryCodes(database, userId);
      return { active: factor?.active === true, recovery_codes_left };
    },

    /** Creates a secret. Logins require its codes after one code has confirmed that the user's device has it. */
    async begin(userId: string, username: string): Promise<{ secret: string; otpauth_url: string }> {
      const secret = new Secret({ size: secretBytes });
      const sealed = sealToken(secrets[0], secret.base32, "second-factor");
      if (!(await beginSecondFactor(database, userId, sealed))) {
        throw invalidInput(errorTexts.second_factor_active);
      }
      return { secret: secret.base32, otpauth_url: new TOTP({ issuer, label: username, secret }).toString() };
    },

    /**
     * Activates it. The recovery codes are not shown again.
     *
     * @throws ServiceError 400, 429 after too many wrong codes
     */
    async confirm(userId: string, code: string, { address }: Device): Promise<string[]> {
      const factor = await findSecondFactor(database, userId);
      if (factor === undefined) throw invalidInput(errorTexts.second_factor_not_begun);
      if (factor.active) throw invalidInput(errorTexts.second_factor_active);
      const attempt = await attempts.ofCode(userId, address);
      const period = periodOf(open(factor.sealed_secret), code);
      if (period === null) throw invalidInput(errorTexts.second_factor_invalid);
      await attempt.withdraw();
      const codes = Array.from({ length: recoveryCodeCount }, createRecoveryCode);
      const factorShown = { userId, sealed: factor.sealed_secret, period };
      const hashes = codes.map(hashToken);
      const isConfirmed = await database.transaction((each) => confirmSecondFactor(each, factorShown, hashes));
      if (!isConfirmed) throw invalidInput(errorTexts.second_factor_active);
      return codes;
    },
  };
}

/** Time-based codes beside the password (docs/protocol/accounts.md#18.2). Secrets are stored encrypted, codes as hashes. */
export type SecondFactor = ReturnType<typeof createSecondFactor>;

function createRecoveryCode(): string {
  const characters = Array.from(
    { length: recoveryCodeLength },
    () => recoveryAlphabet[randomInt(recoveryAlphabet.length)] ?? "",
  );
  return characters.join("");
}

/** Recovery codes are typed from paper: blanks, hyphens and capital letters do not count. */
function normalise(code: string): string {
  return code.replaceAll(/[\s-]/g, "").toLowerCase();
}
