import { subjects } from "@parley/contracts";
import type { Database } from "@parley/database";
import { z } from "zod";
import type { Hub } from "../hub/hub.js";
import type { ServerEntry } from "../hub/server-entry.js";
import type { UserEntry } from "../hub/user-entry.js";
import type { GatewayMetrics } from "../metrics.js";
import { type Arrival, arrivalOf } from "../stream/arrival.js";
import type { FillGap } from "../stream/gap.js";
import { gapBefore, isDue, note } from "../stream/stream-order.js";
import { personalPollFrames } from "./poll-votes.js";

/** The part of MEMBER_ROLE_ADD and MEMBER_ROLE_REMOVE that says whose view changes. */
const MemberChange = z.object({ d: z.object({ user_id: z.string() }) });

/**
 * Delivers an event of a server, or of one of its channels; for the server's lane. A promise means that something had to
 * be looked up first. Repeatable until the event is delivered.
 */
export type PassServerEvent = (server: ServerEntry, arrival: Arrival) => void | Promise<void>;

export function createServerEvents(options: {
  database: Pick<Database, "query">;
  hub: Hub;
  fillGap: FillGap;
  settledSequence: () => number;
  metrics: GatewayMetrics;
}): PassServerEvent {
  const { database, hub, fillGap, settledSequence, metrics } = options;

  function pass(server: ServerEntry, arrival: Arrival): void | Promise<void> {
    if (!isDue(server, arrival)) return;
    if (arrival.recovered) noteVisibilityChange(hub, server, arrival);
    if (gapBefore(server, arrival) !== null || !isAudienceKnown(server, arrival) || arrival.pollId !== null) {
      return passAfterLookUp(server, arrival);
    }
    deliver(server, arrival);
  }

  async function passAfterLookUp(server: ServerEntry, arrival: Arrival): Promise<void> {
    const gap = gapBefore(server, arrival);
    if (gap !== null) {
      const filter = subjects.storedServer(server.id);
      const isFilled = await fillGap({ filter, ...gap }, (event) => pass(server, arrivalOf(event, true)));
      if (!isFilled) hub.resynchronise(server.everybody(), "events of a server were lost");
    }
    for (const channelId of [channelOf(arrival), arrival.exceptViewersOf]) {
      while (!server.knows(channelId)) {
        metrics.permissionReloads += 1;
        await server.learn(channelId);
        // A live event is older than a join that was heard meanwhile; one that was read again may have followed it.
        if (!arrival.recovered || server.knows(null)) break;
      }
    }
    hub.endIfDeserted(server);
    if (arrival.pollId === null) deliver(server, arrival);
    else await deliverPoll(server, arrival, arrival.pollId);
  }

  function deliver(server: ServerEntry, arrival: Arrival): void {
    note(server, arrival, settledSequence);
    if (arrival.internal) {
      if (arrival.address.event === "SERVER_DELETED") endServer(server);
      return;
    }
    for (const user of audienceOf(server, arrival)) user.send(arrival.frame, arrival.at);
  }

  async function deliverPoll(server: ServerEntry, arrival: Arrival, pollId: string): Promise<void> {
    const users = [...audienceOf(server, arrival)];
    const ids = users.map((user) => user.id);
    const frameOf = await personalPollFrames(database, pollId, arrival.body, ids);
    note(server, arrival, settledSequence);
    for (const user of users) user.send(frameOf(user.id), arrival.at);
  }

  function endServer(server: ServerEntry): void {
    for (const user of server.everybody()) hub.removeFrom(server, user);
  }

  return pass;
}

/**
 * What follows in this server waits until what has changed is read from the database. Noted as soon as the change is
 * heard, not in its turn: however many changes and events wait, one reading that begins now covers them all.
 */
export function noteVisibilityChange(hub: Pick<Hub, "user">, server: ServerEntry, arrival: Arrival): void {
  if (!arrival.changesVisibility) return;
  const { event } = arrival.address;
  if (event !== "MEMBER_ROLE_ADD" && event !== "MEMBER_ROLE_REMOVE") {
    server.noteChange();
    return;
  }
  const change = MemberChange.safeParse(JSON.parse(arrival.body.toString()));
  if (change.success) server.noteMemberChange(hub.user(change.data.d.user_id));
  else server.noteUnknownChange();
}

function channelOf({ address: { scope } }: Arrival): string | null {
  return scope.kind === "server" ? scope.channelId : null;
}

function isAudienceKnown(server: ServerEntry, arrival: Arrival): boolean {
  if (!server.knows(channelOf(arrival))) return false;
  return arrival.exceptViewersOf === null || server.knows(arrival.exceptViewersOf);
}

/** The local users who are to get an event of a server. */
function audienceOf(server: ServerEntry, arrival: Arrival): Iterable<UserEntry> {
  const channelId = channelOf(arrival);
  const audience = channelId === null ? server.serverAudience() : server.viewers(channelId);
  return arrival.exceptViewersOf === null ? audience : excluding(audience, server, arrival.exceptViewersOf);
}

function* excluding(audience: Iterable<UserEntry>, server: ServerEntry, channelId: string): Iterable<UserEntry> {
  for (const user of audience) if (!server.isViewer(user, channelId)) yield user;
}
