import type { ReceivedEvent } from "@parley/messaging";
import type { ServerEntry } from "../hub/server-entry.js";
import type { UserEntry } from "../hub/user-entry.js";

/** The channel that an event of a server belongs to; null for one about the server itself. */
export function channelOf({ address: { scope } }: ReceivedEvent): string | null {
  return scope.kind === "server" ? scope.channelId : null;
}

/** Whether the recipients of a server's event are known without loading. */
export function isAudienceLoaded(server: ServerEntry, event: ReceivedEvent): boolean {
  if (!server.isLoaded(channelOf(event))) return false;
  return event.exceptViewersOf === null || server.isLoaded(event.exceptViewersOf);
}

/** The local recipients of a server's event; requires {@link isAudienceLoaded}. */
export function audienceOf(server: ServerEntry, event: ReceivedEvent): Iterable<UserEntry> {
  const channelId = channelOf(event);
  const audience = channelId === null ? server.serverAudience() : server.viewers(channelId);
  return event.exceptViewersOf === null ? audience : excluding(audience, server, event.exceptViewersOf);
}

/** How many users are in the {@link audienceOf} an event, those included that it excepts. */
export function audienceSizeMax(server: ServerEntry, event: ReceivedEvent): number {
  return server.audienceSize(channelOf(event));
}

/** Whether a user is in the {@link audienceOf} an event. */
export function isInAudience(server: ServerEntry, event: ReceivedEvent, user: UserEntry): boolean {
  const channelId = channelOf(event);
  const isRecipient = channelId === null ? server.isInServerAudience(user) : server.isViewer(user, channelId);
  return isRecipient && (event.exceptViewersOf === null || !server.isViewer(user, event.exceptViewersOf));
}

function* excluding(audience: Iterable<UserEntry>, server: ServerEntry, channelId: string): Iterable<UserEntry> {
  for (const user of audience) if (!server.isViewer(user, channelId)) yield user;
}
