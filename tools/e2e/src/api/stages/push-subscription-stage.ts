import { createECDH, randomBytes, randomUUID } from "node:crypto";
import { PushSubscription, PushSubscriptionList } from "@parley/contracts";
import type { RestClient } from "@parley/testing";
import { z } from "zod";

export const badEndpoint = "endpoint: must be an https:// URL of at most 2048 bytes without a name or password";

export const subscriptionsPath = "/users/@me/push-subscriptions";

/** Keys as a browser makes them for a device. */
export const makeKeys = () => ({
  p256dh: createECDH("prime256v1").generateKeys("base64url"),
  auth: randomBytes(16).toString("base64url"),
});

/** A device that no account has. */
export const makeDevice = () => ({ endpoint: `https://push.example/${randomUUID()}`, keys: makeKeys() });

const Subscription = PushSubscription.strict();
const SubscriptionList = PushSubscriptionList.extend({ subscriptions: z.array(Subscription) }).strict();

/** Stores a device of the user, a fresh one unless given. */
export const subscribe = async (user: RestClient, body: object = makeDevice(), status: 200 | 201 = 201) =>
  (await user.post(subscriptionsPath, body)).expect(status, Subscription);

export const listSubscriptions = async (user: RestClient) =>
  (await user.get(subscriptionsPath)).expect(200, SubscriptionList).subscriptions;

export const idsOf = (subscriptions: readonly { id: string }[]) => subscriptions.map(({ id }) => id);
