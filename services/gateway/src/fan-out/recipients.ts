import type { ReceivedEvent } from "@parley/messaging";
import type { Hub } from "../hub/hub.js";
import type { ServerEntry } from "../hub/server-entry.js";
import type { UserEntry } from "../hub/user-entry.js";
import { audienceOf, audienceSizeMax, channelOf, isInAudience } from "./audience.js";
import { concernedRoles, concernedUsers, concernsEveryone } from "./concerned.js";

/** The users of this node who get an event of a server. */
export interface Recipients {
  /** On all their connections. */
  everywhere: Iterable<UserEntry>;
  /** On connections that show the event's channel, or that get everything. */
  inView: Iterable<UserEntry>;
  /** How many they are at most. */
  sizeMax: number;
  /** Whether connections that do not show the channel are left out. */
  isLimited: boolean;
}

/** Whom an event of a server is sent to; requires `isAudienceLoaded`. */
export function recipientsOf(
  hub: Pick<Hub, "user" | "shown" | "followed">,
  server: ServerEntry,
  event: ReceivedEvent,
): Recipients {
  const channelId = channelOf(event);
  if (channelId === null || !isLimited(server, event))
    return {
      everywhere: audienceOf(server, event),
      inView: [],
      sizeMax: audienceSizeMax(server, event),
      isLimited: false,
    };
  const isRecipient = (user: UserEntry) => isInAudience(server, event, user);
  const concerned = new Set([...concernedHere(hub, server, event)].filter(isRecipient));
  const inView = new Set<UserEntry>();
  for (const user of server.hearingEverything) if (!concerned.has(user) && isRecipient(user)) inView.add(user);
  for (const { userId } of hub.shown.watchersOf(channelId)) {
    const user = hub.user(userId);
    if (user !== undefined && !concerned.has(user) && isRecipient(user)) inView.add(user);
  }
  return { everywhere: concerned, inView, sizeMax: concerned.size + inView.size, isLimited: true };
}

/** Whether connections that show channels, and not that of the event, are left out. */
function isLimited(server: ServerEntry, event: ReceivedEvent): boolean {
  return server.isPassive && isInViewOnly(event);
}

/**
 * Whether an event of a passive server goes only to connections that show its channel, and to users whom it concerns
 * (docs/protocol/passive-servers.md#27).
 */
export function isInViewOnly(event: ReceivedEvent): boolean {
  return event.definition?.inView === true && !concernsEveryone(event);
}

function* concernedHere(
  hub: Pick<Hub, "user" | "followed">,
  server: ServerEntry,
  event: ReceivedEvent,
): Iterable<UserEntry> {
  const roles = concernedRoles(event);
  if (roles.length > 0) yield* server.holdersOf(roles);
  for (const userId of concernedUsers(event)) {
    const user = hub.user(userId);
    if (user !== undefined) yield user;
  }
  const { thread } = event.facts;
  if (thread !== undefined) yield* hub.followed.followersOf(thread);
}
