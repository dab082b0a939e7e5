import type { ParleyClient } from "@parley/client";
import { createInteractions } from "../apps/interactions.js";
import { createMembers } from "../community/members.js";
import { createPresenceWatch } from "../community/presence-watch.js";
import { createServerSafety } from "../community/safety.js";
import { createServers } from "../community/servers.js";
import { createDetails } from "../conversations/details.js";
import { createHistories } from "../conversations/histories.js";
import { createReadState } from "../conversations/read-state.js";
import { createDrafts } from "../drafts/drafts.js";
import { createInbox } from "../inbox/inbox.js";
import { createSaved } from "../kept/saved.js";
import { createBadge } from "../notices/badge.js";
import { createNotifications } from "../notices/notifications.js";
import { createPush } from "../notices/push.js";
import { createView } from "../notices/view.js";
import { createAbsence } from "../people/automatic-away.js";
import { createPeople } from "../people/people.js";
import { createRequestQueue } from "../platform/request-queue.js";
import { createSeen } from "../seen/seen.js";
import { createSending } from "../sending/sending.js";
import { createAppStore } from "../store/app-store.js";

/** Requests for single messages and users under way together. */
const detailsAtOnce = 4;
const othersAtOnce = 6;
/** At the start, the first requests wait no longer than this for a slow connection. */
const beginWaitMs = 500;

/** The state of a session, and the parts that read and change it. */
export type Parts = ReturnType<typeof createParts>;

/** Makes the parts of a session. */
export function createParts(client: ParleyClient) {
  const store = createAppStore({ beginWaitMs });
  // All members, also of large servers: the connection is one for all servers of the user, and its query cannot change
  // without reading everything again. A join costs it a frame as a message does, and a list on the screen stays right.
  const gateway = client.gateway({ members: "all", presence: "subscribed", view: "on" });
  const queue = createRequestQueue(othersAtOnce);
  const details = createDetails(client, store, createRequestQueue(detailsAtOnce));
  return {
    client,
    store,
    gateway,
    details,
    servers: createServers(client, store, queue),
    histories: createHistories({ client, store, queue, keepListed: details.keepListed }),
    readState: createReadState(client, store),
    inbox: createInbox(client, store),
    saved: createSaved(client, store),
    drafts: createDrafts(client, store),
    sending: createSending(client, store),
    interactions: createInteractions(client, store, queue),
    members: createMembers(client, store),
    people: createPeople(client, store),
    absence: createAbsence(store, (status) => gateway.updateStatus({ status })),
    presence: createPresenceWatch(gateway, store),
    safety: createServerSafety(client, store),
    notifications: createNotifications(client, store),
    push: createPush(client),
    view: createView(gateway),
    badge: createBadge(store),
    seen: createSeen(client, store),
  };
}
