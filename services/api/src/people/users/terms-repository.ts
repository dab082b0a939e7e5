import { defineStatement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";

/** Has a row where a person has to accept the terms of the installation once more (docs/protocol/installation.md#34.1). */
const outdatedStatement = defineStatement({
  name: "user_terms_outdated",
  text: `SELECT FROM users u, instance_settings s WHERE u.id = $1 AND u.terms_version < s.terms_asked
      AND NOT EXISTS (SELECT FROM bots b WHERE b.user_id = u.id)`,
  row: () => true,
});

const acceptStatement = defineStatement({
  name: "user_terms_accept",
  text: "UPDATE users u SET terms_version = s.terms_version FROM instance_settings s WHERE u.id = $1",
});

export async function areTermsOutdated(connection: Queryable, userId: string): Promise<boolean> {
  return (await connection.query(outdatedStatement, [userId])).length > 0;
}

/** Notes that an account has accepted the terms as they are. */
export async function acceptTerms(connection: Queryable, userId: string): Promise<void> {
  await connection.execute(acceptStatement, [userId]);
}
