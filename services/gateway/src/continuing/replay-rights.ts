import { parseVisibilityBefore, type VisibilityBefore } from "@parley/contracts";
import type { ReceivedEvent } from "@parley/messaging";
import { within } from "@parley/service-runtime";
import { channelOf, isAudienceLoaded, isInAudience } from "../fan-out/audience.js";
import type { Hub } from "../hub/hub.js";
import type { ServerEntry } from "../hub/server-entry.js";
import type { UserEntry } from "../hub/user-entry.js";
import { replayRightsTimeoutMs } from "../limits.js";
import type { GatewayMetrics } from "../metrics.js";
import { PastView } from "./past-view.js";
import type { ReplaySource } from "./replay-source.js";
import { sequenceOf } from "./stream-window.js";

/**
 * Selects those events of a server that the user could see when they happened and may still see now. Null when there
 * are too many later changes of rights (docs/interface.md#19.2).
 *
 * @param changes what `changesOf` returns for all events of the server from the first of these on up to `cut`
 * @throws when the permissions or the stream cannot be read in time
 */
export type SelectVisible = (
  server: ServerEntry,
  user: UserEntry,
  missed: { events: readonly ReceivedEvent[]; changes: readonly ReceivedEvent[]; cut: number },
) => Promise<ReceivedEvent[] | null>;

/** Those of a server's events that changed rights to view channels and carry the former values in their header. */
export function changesOf(events: readonly ReceivedEvent[]): ReceivedEvent[] {
  return events.filter((event) => event.definition?.changesVisibility && event.visibilityBefore !== null);
}

/** Connections that continue at about the same time share one task of the server's queue, and its statements. */
export function createVisibleSelection(options: {
  hub: Pick<Hub, "removeIfEmpty">;
  source: Pick<ReplaySource, "read">;
  metrics: GatewayMetrics;
}): SelectVisible {
  const { hub, source, metrics } = options;
  const waiting = new WeakMap<ServerEntry, { channels: Set<string | null>; loaded: Promise<void> }>();

  function load(server: ServerEntry, channels: ReadonlySet<string | null>): Promise<void> {
    const known = waiting.get(server);
    if (known !== undefined) {
      for (const channelId of channels) known.channels.add(channelId);
      return known.loaded;
    }
    const wanted = new Set(channels);
    let resolve = () => {};
    const loaded = new Promise<void>((resolved) => {
      resolve = resolved;
    });
    waiting.set(server, { channels: wanted, loaded });
    server.queue.add(async () => {
      // A later call needs statements that begin after it.
      waiting.delete(server);
      for (const channelId of wanted) {
        if (server.isLoaded(channelId)) continue;
        metrics.permissionReloads += 1;
        await server.load(channelId);
      }
      hub.removeIfEmpty(server);
      resolve();
    });
    return loaded;
  }

  return async (server, user, { events, changes, cut }) => {
    if (!events.every((event) => isAudienceLoaded(server, event))) {
      const channels = new Set(events.flatMap((event) => [channelOf(event), event.exceptViewersOf]));
      await within(load(server, channels), replayRightsTimeoutMs, () => {
        throw new Error("the permissions of a server could not be read in time");
      });
    }
    const { changedUpTo } = server;
    if (changes.length === 0 && changedUpTo <= cut) return events.filter((event) => isInAudience(server, event, user));
    const visible = events.filter((event) => mayStillSee(server, event, user));
    const view = server.memberView(user);
    // The present rights include the changes after the cut, too.
    const later = await source.read({ kind: "server", id: server.id, from: cut + 1 }, changedUpTo);
    if (later === null) return null;
    // Which channels a removed user could view before these changes is not known.
    if (view === null) return visible.filter((event) => channelOf(event) === null);
    return receivedThen(visible, [...changes, ...changesOf(later)], new PastView(view));
  };
}

/** Whether an event is about the server itself, or of a channel that the user may view. */
function mayStillSee(server: ServerEntry, event: ReceivedEvent, user: UserEntry): boolean {
  const channelId = channelOf(event);
  return channelId === null ? server.isInServerAudience(user) : server.isViewer(user, channelId);
}

/**
 * Those of the events that their user could see when they happened.
 *
 * @param changes in order, up to the moment of the view
 */
function receivedThen(events: readonly ReceivedEvent[], changes: readonly ReceivedEvent[], view: PastView) {
  const received: ReceivedEvent[] = [];
  let next = changes.length - 1;
  for (let at = events.length - 1; at >= 0; at--) {
    const event = events[at];
    if (event === undefined) break;
    for (; next >= 0; next--) {
      const change = changes[next];
      if (change === undefined || sequenceOf(change) < sequenceOf(event)) break;
      const before = beforeOf(change);
      if (before !== null) view.undo(before);
    }
    const channelId = channelOf(event);
    if (channelId !== null && !view.mayView(channelId)) continue;
    if (event.exceptViewersOf !== null && view.mayView(event.exceptViewersOf)) continue;
    received.push(event);
  }
  return received.reverse();
}

/** Parsed headers, shared by all continuing connections. */
const parsed = new WeakMap<ReceivedEvent, VisibilityBefore | null>();

function beforeOf(change: ReceivedEvent): VisibilityBefore | null {
  const known = parsed.get(change);
  if (known !== undefined) return known;
  const before = parseVisibilityBefore(change.visibilityBefore ?? "");
  parsed.set(change, before);
  return before;
}
