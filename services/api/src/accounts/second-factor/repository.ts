import { defineStatement } from "@parley/database";
import type { Database, Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";

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

/** The sealed secret of an account, and whether logins need its codes. */
export async function findSecondFactor(connection: Queryable, userId: string) {
  const [factor] = await connection.query(findStatement, [userId]);
  return factor;
}

/** Stores a secret that is still to be confirmed. @returns false when one is active */
export async function beginSecondFactor(connection: Queryable, userId: string, sealed: string): Promise<boolean> {
  return (await connection.execute(beginStatement, [userId, sealed])) > 0;
}

/** Activates the secret after a valid code of the period, with its recovery codes. @returns false when one is active */
export async function confirmSecondFactor(
  transaction: Transaction,
  { userId, sealed, period }: { userId: string; sealed: string; period: number },
  codeHashes: readonly string[],
): Promise<boolean> {
  if ((await transaction.execute(confirmStatement, [userId, sealed, period])) === 0) return false;
  const data = codeHashes.map((code_hash) => ({ user_id: userId, code_hash }));
  await transaction.prisma.recoveryCode.createMany({ data });
  return true;
}

/** Uses up the codes of a period and of those before it. @returns false when they are used up */
export async function usePeriod(connection: Queryable, userId: string, period: number): Promise<boolean> {
  return (await connection.execute(usePeriodStatement, [userId, period])) > 0;
}

/** Uses up a recovery code. @returns false when it is none */
export async function useRecoveryCode(connection: Queryable, userId: string, codeHash: string): Promise<boolean> {
  return (await connection.execute(useRecoveryStatement, [userId, codeHash])) > 0;
}

export function countRecoveryCodes({ prisma }: Queryable, userId: string): Promise<number> {
  return prisma.recoveryCode.count({ where: { user_id: userId } });
}

/** Deletes the second factor with its recovery codes, active or not. */
export async function endSecondFactor({ prisma }: Transaction, userId: string): Promise<void> {
  await prisma.secondFactor.deleteMany({ where: { user_id: userId } });
  await prisma.recoveryCode.deleteMany({ where: { user_id: userId } });
}

/**
 * Deletes the second factor with its recovery codes.
 *
 * @param wasActive false when no code was asked for: one that was confirmed meanwhile stays
 * @returns false when it is active still
 */
export function deleteSecondFactor(database: Database, userId: string, wasActive: boolean): Promise<boolean> {
  return database.transaction(async ({ prisma }) => {
    await prisma.secondFactor.deleteMany({ where: { user_id: userId, ...(wasActive ? {} : { confirmed_at: null }) } });
    if ((await prisma.secondFactor.count({ where: { user_id: userId, confirmed_at: { not: null } } })) > 0)
      return false;
    await prisma.recoveryCode.deleteMany({ where: { user_id: userId } });
    return true;
  });
}
