import { randomInt } from "node:crypto";
import { hashToken, openSealedToken, sealToken } from "@parley/auth";
import { errorTexts, invalidInput } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Database } from "@parley/database/prisma";
import { Secret, TOTP } from "otpauth";
import { z } from "zod";
import type { Device } from "./device.js";
import type { LoginAttempts } from "./login-attempts.js";

/** Codes of the periods before and after the present one count as well: clocks differ. */
const periodsAside = 1;
const secretBytes = 20;
const recoveryCodeCount = 10;
const recoveryCodeLength = 16;
/** Without characters that look alike. */
const recoveryAlphabet = "23456789abcdefghjkmnpqrstuvwxyz";
const issuer = "Parley";

const findStatement = defineStatement({
  name: "second_factor_find",
  text: "SELECT sealed_secret, confirmed_at IS NOT NULL AS active FROM second_factors WHERE user_id = $1",
  row: z.object({ sealed_secret: z.string(), active: z.boolean() }),
});
/** A new secret replaces the former one until one is confirmed. */
const beginStatement = defineStatement({
  name: "second_factor_begin",
  text: `INSERT INTO second_factors (user_id, sealed_secret) VALUES ($1, $2)
    ON CONFLICT (user_id) DO UPDATE SET sealed_secret = excluded.sealed_secret, last_period = 0
    WHERE second_factors.confirmed_at IS NULL`,
});
const confirmStatement = defineStatement({
  name: "second_factor_confirm",
  text: `UPDATE second_factors SET confirmed_at = now(), last_period = $3
    WHERE user_id = $1 AND sealed_secret = $2 AND confirmed_at IS NULL`,
});
/** Updates no row when the code's period was used before, so of two concurrent uses of a code one fails. */
const usePeriodStatement = defineStatement({
  name: "second_factor_use_period",
  text: "UPDATE second_factors SET last_period = $2 WHERE user_id = $1 AND last_period < $2",
});
const useRecoveryStatement = defineStatement({
  name: "second_factor_use_recovery",
  text: "DELETE FROM recovery_codes WHERE user_id = $1 AND code_hash = $2",
});

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
    const used =
      period === null
        ? await database.execute(useRecoveryStatement, [userId, hashToken(normalise(code))])
        : await database.execute(usePeriodStatement, [userId, period]);
    return used > 0;
  };

  return {
    /**
     * What a code is worth beside the right password: `none` is needed, one is `missing`, it is `wrong` or was used, or
     * it is `right` and used up now.
     *
     * @throws ServiceError 429 after too many wrong ones
     */
    async check(
      userId: string,
      code: string | undefined,
      { address }: Device,
    ): Promise<"none" | "missing" | "wrong" | "right"> {
      const [factor] = await database.query(findStatement, [userId]);
      if (factor?.active !== true) return "none";
      if (code === undefined) return "missing";
      const attempt = await attempts.ofCode(userId, address);
      if (!(await spend(userId, code, factor.sealed_secret))) return "wrong";
      await attempt.withdraw();
      return "right";
    },

    /** Whether it is active, and how many recovery codes are left. */
    async state(userId: string): Promise<{ active: boolean; recovery_codes_left: number }> {
      const [factor] = await database.query(findStatement, [userId]);
      const recovery_codes_left = await database.prisma.recoveryCode.count({ where: { user_id: userId } });
      return { active: factor?.active === true, recovery_codes_left };
    },

    /** Creates a secret. Logins require its codes after one code has confirmed that the user's device has it. */
    async begin(userId: string, username: string): Promise<{ secret: string; otpauth_url: string }> {
      const secret = new Secret({ size: secretBytes });
      const sealed = sealToken(secrets[0], secret.base32, "second-factor");
      if ((await database.execute(beginStatement, [userId, sealed])) === 0) {
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
      const [factor] = await database.query(findStatement, [userId]);
      if (factor === undefined) throw invalidInput(errorTexts.second_factor_not_begun);
      if (factor.active) throw invalidInput(errorTexts.second_factor_active);
      const attempt = await attempts.ofCode(userId, address);
      const period = periodOf(open(factor.sealed_secret), code);
      if (period === null) throw invalidInput(errorTexts.second_factor_invalid);
      await attempt.withdraw();
      const codes = Array.from({ length: recoveryCodeCount }, createRecoveryCode);
      await database.transaction(async (transaction) => {
        const values = [userId, factor.sealed_secret, period];
        if ((await transaction.execute(confirmStatement, values)) === 0) {
          throw invalidInput(errorTexts.second_factor_active);
        }
        const data = codes.map((recovery) => ({ user_id: userId, code_hash: hashToken(recovery) }));
        await transaction.prisma.recoveryCode.createMany({ data });
      });
      return codes;
    },

    /**
     * Removes it with its recovery codes.
     *
     * @param wasActive false when no code was asked for: one that was confirmed meanwhile stays
     * @returns false when it is active still
     */
    async remove(userId: string, { wasActive }: { wasActive: boolean }): Promise<boolean> {
      return database.transaction(async ({ prisma }) => {
        await prisma.secondFactor.deleteMany({
          where: { user_id: userId, ...(wasActive ? {} : { confirmed_at: null }) },
        });
        if ((await prisma.secondFactor.count({ where: { user_id: userId, confirmed_at: { not: null } } })) > 0)
          return false;
        await prisma.recoveryCode.deleteMany({ where: { user_id: userId } });
        return true;
      });
    },
  };
}

/** Time-based codes beside the password (docs/interface.md#18.2). Secrets are stored encrypted, codes as hashes. */
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
