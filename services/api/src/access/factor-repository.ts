import { lacksFactorSql } from "@parley/auth";
import { defineStatement, type RawRow } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";

const lacksStatement = defineStatement({
  name: "factor_lacking",
  text: `SELECT ${lacksFactorSql("$1::uuid")} AS lacks`,
  row: (row: RawRow) => row.lacks === true,
});

const missingStatement = defineStatement({
  name: "factor_missing",
  text: `SELECT s.require_second_factor AND ${lacksFactorSql("$2::uuid")} AS is_missing
    FROM servers s WHERE s.id = $1`,
  row: (row: RawRow) => row.is_missing === true,
});

/** Whether an account has neither a second factor nor a passkey. */
export async function lacksFactor(connection: Queryable, userId: string): Promise<boolean> {
  const [lacks = true] = await connection.query(lacksStatement, [userId]);
  return lacks;
}

/** Whether a server demands a second factor that an account does not have. */
export async function isFactorMissing(connection: Queryable, serverId: string, userId: string): Promise<boolean> {
  const [isMissing = false] = await connection.query(missingStatement, [serverId, userId]);
  return isMissing;
}
