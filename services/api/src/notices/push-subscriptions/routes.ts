import { errorTexts, PushKey, PushSubscription, PushSubscriptionList, pushSubscriptionsMax } from "@parley/contracts";
import { type Database, readPushKey } from "@parley/database";
import { z } from "zod";
import { identifier } from "../../platform/http/input.js";
import { created, noContent, none, ok, type Route, route } from "../../platform/http/route.js";
import { describedSubscribeBody, endpointRule, subscribeBody } from "./schema.js";
import type { PushSubscriptions } from "./service.js";

const path = "/users/@me/push-subscriptions";
const causes = none("the devices of an account are read when a page shows them");

export function pushSubscriptionRoutes(subscriptions: PushSubscriptions, database: Database): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/instance/push-key",
        name: "push.key",
        summary: "Get the key that browsers subscribe with",
        caller: "anyone",
        success: ok(PushKey),
      },
      async () => ({ public_key: (await readPushKey(database)).publicKey }),
    ),
    route(
      {
        method: "post",
        path,
        name: "push.subscribe",
        summary: "Have a device told of messages",
        description:
          `An account has at most ${pushSubscriptionsMax} devices; beyond it the one unused longest goes. A device goes with the ` +
          "session that named it. An endpoint that is known gets these keys and this label; one of another account moves to the caller.",
        caller: "account",
        causes,
        body: subscribeBody,
        describedBody: describedSubscribeBody,
        success: created(PushSubscription),
        otherAnswers: [ok(PushSubscription, "The endpoint was known")],
        errors: {
          invalid_input: [
            errorTexts.push_endpoint_invalid(`: ${endpointRule}`),
            errorTexts.push_keys_invalid(".p256dh: …"),
            errorTexts.push_label_invalid(": …"),
          ],
        },
      },
      async ({ identity, body, setStatus }) => {
        const { subscription, known } = await subscriptions.subscribe(identity, body);
        if (known) setStatus(200);
        return subscription;
      },
    ),
    route(
      {
        method: "get",
        path,
        name: "push.list",
        summary: "List the devices that are told of messages, oldest first",
        caller: "account",
        success: ok(PushSubscriptionList),
      },
      ({ identity }) => subscriptions.list(identity.userId),
    ),
    route(
      {
        method: "delete",
        path: `${path}/:id`,
        name: "push.unsubscribe",
        summary: "Have a device told of nothing any more",
        caller: "account",
        causes,
        params: z.object({ id: identifier }),
        success: noContent(),
        errors: { not_found: [errorTexts.push_subscription_not_found] },
      },
      ({ identity, params }) => subscriptions.unsubscribe(identity.userId, params.id),
    ),
  ];
}
