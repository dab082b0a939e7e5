import type { Identity } from "@parley/auth";
import {
  errorTexts,
  invalidInput,
  notFound,
  type PushSubscription,
  type PushSubscriptionList,
  pushSubscriptionsMax,
  ServiceError,
} from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { lockAccount } from "../../access/caps.js";
import type { ChangeTurns } from "../../platform/load/change-turns.js";
import {
  findSubscriptions,
  holdSession,
  removeSubscription,
  storeSubscription,
  trimSubscriptions,
} from "./repository.js";
import { endpointRule, type Subscribe } from "./schema.js";

/** @param options.allowPlainHttp whether endpoints may be reached by plain HTTP */
export function createPushSubscriptions(options: { database: Database; turns: ChangeTurns; allowPlainHttp: boolean }) {
  const { database, turns, allowPlainHttp } = options;
  return {
    /**
     * Stores a device of the caller, or replaces its keys; the one that was unused longest makes room.
     *
     * @returns the device, and whether its endpoint was known
     * @throws ServiceError 401 when the caller's session has ended meanwhile
     */
    async subscribe(
      identity: Identity,
      subscribe: Subscribe,
    ): Promise<{ subscription: PushSubscription; known: boolean }> {
      const { userId } = identity;
      if (!allowPlainHttp && new URL(subscribe.endpoint).protocol !== "https:")
        throw invalidInput(errorTexts.push_endpoint_invalid(`: ${endpointRule}`));
      return turns.run(userId, () =>
        database.transaction(async (transaction) => {
          await lockAccount(transaction, userId);
          if (!(await holdSession(transaction, identity)))
            throw new ServiceError("unauthenticated", errorTexts.invalid_token);
          const stored = await storeSubscription(transaction, identity, subscribe);
          await trimSubscriptions(transaction, { userId, keptId: stored.subscription.id, max: pushSubscriptionsMax });
          return stored;
        }),
      );
    },

    async list(userId: string): Promise<PushSubscriptionList> {
      return { subscriptions: await findSubscriptions(database, userId) };
    },

    async unsubscribe(userId: string, id: string): Promise<void> {
      if (!(await removeSubscription(database, userId, id))) throw notFound(errorTexts.push_subscription_not_found);
    },
  };
}

/** The devices of an account that pushes go to (docs/protocol/notifications.md#26.2). */
export type PushSubscriptions = ReturnType<typeof createPushSubscriptions>;
