import { closeCodes, type EventPayload, events, subjects } from "@parley/contracts";
import type { Database } from "@parley/database";
import type { ReceivedEvent } from "@parley/messaging";
import { type Arrival, arrivalOf } from "./arrival.js";
import type { FillGap } from "./gap.js";
import type { Hub } from "./hub.js";
import type { Interests } from "./interest.js";
import type { GatewayMetrics } from "./metrics.js";
import { personalPollFrames } from "./poll-votes.js";
import type { ServerEntry } from "./server-entry.js";
import type { UserEntry } from "./user-entry.js";

interface FanOutOptions {
  database: Pick<Database, "query">;
  hub: Hub;
  interests: Interests;
  fillGap: FillGap;
  /** Everything up to this sequence has certainly arrived. */
  settledSequence: () => number;
  metrics: GatewayMetrics;
}

/** Takes an event to the local connections that are to get it. */
export type FanOut = (event: ReceivedEvent, recovered: boolean) => void;

/**
 * One event to many connections: each server's (and user's) events pass in the order of the stream, each once, at once
 * while nothing has to be looked up, and else after what is being looked up.
 */
export function createFanOut(options: FanOutOptions): FanOut {
  const { database, hub, interests, fillGap, settledSequence, metrics } = options;
  let recipientMark = 0;

  /** Repeatable until the event is delivered: a failed look-up starts it again. */
  function passServer(server: ServerEntry, arrival: Arrival): void | Promise<void> {
    if (!isDue(server, arrival)) return;
    if (gapBefore(server, arrival) !== null || !isKnown(server, arrival) || arrival.pollId !== null) {
      return passServerLater(server, arrival);
    }
    deliverToServer(server, arrival);
  }

  async function passServerLater(server: ServerEntry, arrival: Arrival): Promise<void> {
    const gap = gapBefore(server, arrival);
    if (gap !== null) {
      const filter = subjects.storedServer(server.id);
      const filled = await fillGap({ filter, ...gap }, (event) => passServer(server, arrivalOf(event, true)));
      if (!filled) hub.resynchronise(server.everybody(), "events of a server were lost");
    }
    await learnAbout(server, arrival);
    if (arrival.pollId === null) deliverToServer(server, arrival);
    else await deliverPoll(server, arrival, arrival.pollId);
  }

  async function learnAbout(server: ServerEntry, arrival: Arrival): Promise<void> {
    const { scope } = arrival.address;
    if (scope.kind !== "server") return;
    for (const channelId of [scope.channelId, arrival.exceptViewersOf]) {
      if (server.knows(channelId)) continue;
      metrics.permissionReloads += 1;
      await server.learn(channelId);
    }
    hub.endIfDeserted(server);
  }

  function deliverToServer(server: ServerEntry, arrival: Arrival): void {
    note(server, arrival);
    if (arrival.internal) {
      if (arrival.address.event === "SERVER_DELETED") endServer(server);
      return;
    }
    for (const user of recipients(server, arrival)) user.send(arrival.frame, arrival.at);
    if (arrival.changesVisibility) noteChange(server, arrival);
  }

  async function deliverPoll(server: ServerEntry, arrival: Arrival, pollId: string): Promise<void> {
    const users = [...recipients(server, arrival)];
    const ids = users.map((user) => user.id);
    const frameOf = await personalPollFrames(database, pollId, arrival.body, ids);
    note(server, arrival);
    for (const user of users) user.send(frameOf(user.id), arrival.at);
  }

  function noteChange(server: ServerEntry, arrival: Arrival): void {
    const { event } = arrival.address;
    if (event === "MEMBER_ROLE_ADD" || event === "MEMBER_ROLE_REMOVE") {
      const { d } = JSON.parse(arrival.body.toString());
      server.noteMemberChange(hub.user(events[event].payload.parse(d).user_id));
    } else {
      server.noteChange();
    }
  }

  function endServer(server: ServerEntry): void {
    for (const user of server.everybody()) hub.removeFrom(server, user);
  }

  function passUser(user: UserEntry, arrival: Arrival): void | Promise<void> {
    if (!isDue(user, arrival)) return;
    const gap = gapBefore(user, arrival);
    if (gap !== null) return fillUser(user, arrival, gap);
    note(user, arrival);
    if (!arrival.internal) user.send(arrival.frame, arrival.at);
    else steer(user, arrival);
  }

  async function fillUser(user: UserEntry, arrival: Arrival, gap: { from: number; known: number; to: number }) {
    const filter = subjects.storedUser(user.id);
    const filled = await fillGap({ filter, ...gap }, (event) => passUser(user, arrivalOf(event, true)));
    if (!filled) hub.resynchronise([user], "events of a user were lost");
    note(user, arrival);
    if (!arrival.internal) user.send(arrival.frame, arrival.at);
    else steer(user, arrival);
  }

  /** Events that only gateways see. */
  function steer(user: UserEntry, arrival: Arrival): void {
    const payload: unknown = JSON.parse(arrival.body.toString());
    switch (arrival.address.event) {
      case "SERVER_JOINED":
        joinServer(user, events.SERVER_JOINED.payload.parse(payload).server_id, arrival.stored?.sequence ?? 0);
        break;
      case "SERVER_LEFT":
        leaveServer(user, events.SERVER_LEFT.payload.parse(payload).server_id);
        break;
      case "SESSION_CLOSE":
        closeSessions(user, events.SESSION_CLOSE.payload.parse(payload));
        break;
    }
  }

  function joinServer(user: UserEntry, serverId: string, joinedAt: number): void {
    const { server, isNew } = hub.enter(serverId, joinedAt);
    server.lane.add(() => doubt(server, user));
    if (!isNew) return;
    server.lane.add(async () => {
      await interests.inForce();
      server.subscribed();
      const gap = { filter: subjects.storedServer(serverId), from: joinedAt + 1, known: null };
      await fillGap(gap, (event) => passServer(server, arrivalOf(event, true)));
    });
  }

  /** Whatever came before, MEMBER_KICK for example, is delivered before the membership ends. */
  function leaveServer(user: UserEntry, serverId: string): void {
    const server = hub.server(serverId);
    server?.lane.add(() => doubt(server, user));
  }

  async function doubt(server: ServerEntry, user: UserEntry): Promise<void> {
    if (user.connections.length > 0) {
      server.doubt(user);
      metrics.permissionReloads += 1;
      await server.learn(null);
    }
    hub.endIfDeserted(server);
  }

  function passComembers(userId: string, arrival: Arrival): void {
    recipientMark += 1;
    for (const serverId of arrival.serverIds?.split(",") ?? []) {
      for (const user of hub.server(serverId)?.members ?? []) {
        if (user.id === userId || user.recipientOf === recipientMark) continue;
        user.recipientOf = recipientMark;
        user.send(arrival.frame, arrival.at);
      }
    }
  }

  function note(entry: ServerEntry | UserEntry, { subject, stored, recovered }: Arrival): void {
    if (recovered) metrics.eventsRecovered += 1;
    if (stored !== null) entry.interest.position.note(subject, stored.sequence, settledSequence);
  }

  return (event, recovered) => {
    metrics.eventsReceived += 1;
    const { scope } = event.address;
    switch (scope.kind) {
      case "server": {
        const server = hub.server(scope.serverId);
        if (server === undefined) return;
        const arrival = arrivalOf(event, recovered);
        server.lane.add(() => passServer(server, arrival));
        break;
      }
      case "user": {
        const user = hub.user(scope.userId);
        if (user === undefined) return;
        const arrival = arrivalOf(event, recovered);
        user.lane.add(() => passUser(user, arrival));
        break;
      }
      case "comembers":
        passComembers(scope.userId, arrivalOf(event, recovered));
        break;
    }
  };
}

/** Whether an event is neither delivered already nor, when it was read again, older than the interest in it. */
function isDue(entry: ServerEntry | UserEntry, { subject, stored, recovered }: Arrival): boolean {
  if (stored === null) return true;
  const { position } = entry.interest;
  return recovered ? position.wasMissed(subject, stored.sequence) : position.isNew(subject, stored.sequence);
}

/** What is missing before a live event. */
function gapBefore(entry: ServerEntry | UserEntry, { subject, stored, recovered }: Arrival) {
  if (stored === null || recovered) return null;
  const from = entry.interest.position.gapStart(subject, stored.previousSequence);
  return from === null ? null : { from, known: stored.previousSequence, to: stored.sequence - 1 };
}

function isKnown(server: ServerEntry, { address, exceptViewersOf }: Arrival): boolean {
  if (address.scope.kind !== "server" || !server.knows(address.scope.channelId)) return false;
  return exceptViewersOf === null || server.knows(exceptViewersOf);
}

/** The local users who are to get an event of a server. */
function recipients(server: ServerEntry, { address, exceptViewersOf }: Arrival): Iterable<UserEntry> {
  const channelId = address.scope.kind === "server" ? address.scope.channelId : null;
  const audience = channelId === null ? server.serverAudience() : server.viewers(channelId);
  return exceptViewersOf === null ? audience : excluding(audience, server, exceptViewersOf);
}

function* excluding(audience: Iterable<UserEntry>, server: ServerEntry, channelId: string): Iterable<UserEntry> {
  for (const user of audience) if (!server.isViewer(user, channelId)) yield user;
}

function closeSessions(user: UserEntry, { connection_id }: EventPayload<"SESSION_CLOSE">): void {
  for (const connection of [...user.connections]) {
    if (connection_id === null || connection.id === connection_id) connection.close(closeCodes.normal);
  }
}
