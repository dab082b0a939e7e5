import { subjects } from "@parley/contracts";
import type { Database } from "@parley/database";
import { z } from "zod";
import type { Hub } from "../hub/hub.js";
import type { ServerEntry } from "../hub/server-entry.js";
import type { UserEntry } from "../hub/user-entry.js";
import type { GatewayMetrics } from "../metrics.js";
import type { FillGap } from "../stream/gap.js";
import { type InboundEvent, toInboundEvent } from "../stream/inbound-event.js";
import { gapBefore, isDue, markDelivered } from "../stream/stream-order.js";
import { personalPollFrames } from "./poll-votes.js";

/** The part of MEMBER_ROLE_ADD and MEMBER_ROLE_REMOVE that names the user whose roles change. */
const MemberChange = z.object({ d: z.object({ user_id: z.string() }) });

/**
 * Delivers an event of a server, or of one of its channels; runs in the server's serial queue. It returns a promise
 * when data must be read first. May be repeated until the event is delivered.
 */
export type PassServerEvent = (server: ServerEntry, inbound: InboundEvent) => void | Promise<void>;

export function createServerEvents(options: {
  database: Pick<Database, "query">;
  hub: Hub;
  fillGap: FillGap;
  lowWatermark: () => number;
  metrics: GatewayMetrics;
}): PassServerEvent {
  const { database, hub, fillGap, lowWatermark, metrics } = options;

  function pass(server: ServerEntry, inbound: InboundEvent): void | Promise<void> {
    if (!isDue(server, inbound)) return;
    if (inbound.recovered) invalidateVisibility(hub, server, inbound);
    if (gapBefore(server, inbound) !== null || !isAudienceLoaded(server, inbound) || inbound.pollId !== null) {
      return passAfterLoading(server, inbound);
    }
    deliver(server, inbound);
  }

  async function passAfterLoading(server: ServerEntry, inbound: InboundEvent): Promise<void> {
    const gap = gapBefore(server, inbound);
    if (gap !== null) {
      const filter = subjects.storedServer(server.id);
      const isFilled = await fillGap({ filter, ...gap }, (event) => pass(server, toInboundEvent(event, true)));
      if (!isFilled) hub.closeForResync(server.allUsers(), "events of a server were lost");
    }
    for (const channelId of [channelOf(inbound), inbound.exceptViewersOf]) {
      while (!server.isLoaded(channelId)) {
        metrics.permissionReloads += 1;
        await server.load(channelId);
        // A live event precedes a join received during the load; a recovered event may follow it.
        if (!inbound.recovered || server.isLoaded(null)) break;
      }
    }
    hub.removeIfEmpty(server);
    if (inbound.pollId === null) deliver(server, inbound);
    else await deliverPoll(server, inbound, inbound.pollId);
  }

  function deliver(server: ServerEntry, inbound: InboundEvent): void {
    markDelivered(server, inbound, lowWatermark);
    if (inbound.internal) {
      if (inbound.address.event === "SERVER_DELETED") endServer(server);
      return;
    }
    for (const user of audienceOf(server, inbound)) user.send(inbound.frame, inbound.receivedAt);
  }

  async function deliverPoll(server: ServerEntry, inbound: InboundEvent, pollId: string): Promise<void> {
    const users = [...audienceOf(server, inbound)];
    const ids = users.map((user) => user.id);
    const frameOf = await personalPollFrames(database, pollId, inbound.body, ids);
    markDelivered(server, inbound, lowWatermark);
    for (const user of users) user.send(frameOf(user.id), inbound.receivedAt);
  }

  function endServer(server: ServerEntry): void {
    for (const user of server.allUsers()) hub.removeFrom(server, user);
  }

  return pass;
}

/**
 * Invalidates what the event changes, so that the later events of this server wait until it is loaded again. Called
 * when the event is received, not when its turn in the queue comes: one load then covers all changes in the queue.
 */
export function invalidateVisibility(hub: Pick<Hub, "user">, server: ServerEntry, inbound: InboundEvent): void {
  if (!inbound.changesVisibility) return;
  const { event } = inbound.address;
  if (event !== "MEMBER_ROLE_ADD" && event !== "MEMBER_ROLE_REMOVE") {
    server.invalidateRules();
    return;
  }
  const change = MemberChange.safeParse(JSON.parse(inbound.body.toString()));
  if (change.success) server.invalidateMember(hub.user(change.data.d.user_id));
  else server.invalidateAll();
}

function channelOf({ address: { scope } }: InboundEvent): string | null {
  return scope.kind === "server" ? scope.channelId : null;
}

function isAudienceLoaded(server: ServerEntry, inbound: InboundEvent): boolean {
  if (!server.isLoaded(channelOf(inbound))) return false;
  return inbound.exceptViewersOf === null || server.isLoaded(inbound.exceptViewersOf);
}

/** The local recipients of a server's event. */
function audienceOf(server: ServerEntry, inbound: InboundEvent): Iterable<UserEntry> {
  const channelId = channelOf(inbound);
  const audience = channelId === null ? server.serverAudience() : server.viewers(channelId);
  return inbound.exceptViewersOf === null ? audience : excluding(audience, server, inbound.exceptViewersOf);
}

function* excluding(audience: Iterable<UserEntry>, server: ServerEntry, channelId: string): Iterable<UserEntry> {
  for (const user of audience) if (!server.isViewer(user, channelId)) yield user;
}
