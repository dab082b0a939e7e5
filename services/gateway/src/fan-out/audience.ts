import type { ReceivedEvent } from "@parley/messaging";
import type { ServerEntry } from "../hub/server-entry.js";
import type { UserEntry } from "../hub/user-entry.js";
import { ChannelViewRule } from "../hub/view-rules.js";
import { memberOf } from "./topic.js";

/** The channel that an event of a server belongs to; null for one about the server itself. */
export function channelOf({ address: { scope } }: ReceivedEvent): string | null {
  return scope.kind === "server" ? scope.channelId : null;
}

/** Whether the recipients of a server's event are known without loading. */
export function isAudienceLoaded(server: ServerEntry, event: ReceivedEvent): boolean {
  if (!server.isLoaded(channelOf(event))) return false;
  if (event.limits?.readers !== undefined && !server.areRulesLoaded) return false;
  return event.exceptViewersOf === null || server.isLoaded(event.exceptViewersOf);
}

/** The local recipients of a server's event; requires {@link isAudienceLoaded}. */
export function audienceOf(server: ServerEntry, event: ReceivedEvent): Iterable<UserEntry> {
  const channelId = channelOf(event);
  const audience = toWatchersOnly(event)
    ? watchersOf(server, channelId)
    : isToMembers(event)
      ? server.serverAudience()
      : server.viewers(channelId ?? "");
  const selects = selectionOf(server, event);
  return selects === null ? audience : selected(audience, selects);
}

/** How many users are in the {@link audienceOf} an event at most. */
export function audienceSizeMax(server: ServerEntry, event: ReceivedEvent): number {
  if (toWatchersOnly(event)) return server.memberWatchers.size;
  return server.audienceSize(isToMembers(event) ? null : channelOf(event));
}

/** Whether a user is in the {@link audienceOf} an event; of member watchers the query of each connection decides. */
export function isInAudience(server: ServerEntry, event: ReceivedEvent, user: UserEntry): boolean {
  const channelId = channelOf(event);
  const isRecipient = isToMembers(event) ? server.isInServerAudience(user) : server.isViewer(user, channelId ?? "");
  const selects = selectionOf(server, event);
  return isRecipient && (selects === null || selects(user));
}

/** Whether an event is addressed to members whichever channels they may view. */
function isToMembers(event: ReceivedEvent): boolean {
  return channelOf(event) === null || event.limits?.view_rule !== undefined;
}

function toWatchersOnly(event: ReceivedEvent): boolean {
  return event.definition?.toMemberWatchers === true && memberOf(event) === null;
}

/** Which of those whom an event is addressed to get it; null for all. */
function selectionOf(
  server: ServerEntry,
  { limits, exceptViewersOf }: ReceivedEvent,
): ((user: UserEntry) => boolean) | null {
  if (exceptViewersOf !== null) return (user) => !server.isViewer(user, exceptViewersOf);
  const { readers, except_user, view_rule, unknown } = limits ?? {};
  if (unknown) return () => false;
  if (readers !== undefined) {
    return (user) => user.id !== except_user && server.admits(user, (rules, member) => rules.mayRead(readers, member));
  }
  if (view_rule === undefined || view_rule === "") return null;
  const rule = new ChannelViewRule(view_rule);
  return (user) => server.admits(user, (rules, member) => rules.allow(rule, member));
}

function watchersOf(server: ServerEntry, channelId: string | null): Iterable<UserEntry> {
  const watchers = server.memberWatchers;
  return channelId === null ? watchers : selected(watchers, (user) => server.isViewer(user, channelId));
}

function* selected(users: Iterable<UserEntry>, selects: (user: UserEntry) => boolean): Iterable<UserEntry> {
  for (const user of users) if (selects(user)) yield user;
}
