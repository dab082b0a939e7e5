import { errorTexts, forbidden } from "@parley/contracts";
import type { Queryable } from "@parley/database/prisma";
import { isFactorMissing } from "./factor-repository.js";
import type { Need } from "./needs.js";

/** A member of a server, or somebody in a direct message, where nobody moderates. */
interface Caller {
  userId: string;
  serverId?: string;
}

/**
 * For a caller who has the right to moderate, which is judged first (docs/protocol/accounts.md#34.9).
 *
 * @throws ServiceError 403 where the server demands a second factor that the caller does not have
 */
export async function requireModeratorsFactor(connection: Queryable, { userId, serverId }: Caller): Promise<void> {
  if (serverId === undefined) return;
  if (await isFactorMissing(connection, serverId, userId)) throw forbidden(errorTexts.second_factor_to_moderate);
}

/** The same where all needs are met and one of them is to moderate. */
export async function requireFactorFor<Access extends Caller>(
  connection: Queryable,
  access: Access,
  needs: readonly Need<NoInfer<Access>>[],
): Promise<void> {
  if (needs.some(({ moderates }) => moderates?.(access))) await requireModeratorsFactor(connection, access);
}
