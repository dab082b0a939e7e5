import type { createEvent } from "@parley/contracts";
import { factsHeader, findEvent, parseSubject, readFacts } from "@parley/contracts";
import type { ReceivedEvent } from "@parley/messaging";
import { createLogger, createMetrics } from "@parley/service-runtime";
import { PendingEvents } from "../cursors/pending-events.js";
import { Hub } from "../hub/hub.js";
import type { PermissionAnswer } from "../hub/load-permissions.js";
import { createGatewayMetrics } from "../metrics.js";
import { StreamPosition } from "../stream/stream-position.js";

/**
 * A hub without NATS and database.
 *
 * @param roles of every user in the server
 * @param answer about the server's permissions
 */
export function createLocalHub(serverId: string, roles: readonly string[], answer: PermissionAnswer) {
  const metrics = createGatewayMetrics(createMetrics().registry);
  const hub = new Hub({
    subscriptions: {
      add: () => ({
        position: new StreamPosition(0),
        unsubscribe: () => {},
        pending: new PendingEvents("", { changed: () => {} }),
      }),
      confirmed: () => Promise.resolve(),
    },
    loadMemberships: () => Promise.resolve([{ serverId, roles: [...roles] }]),
    loadPermissions: () => Promise.resolve(answer),
    loadPartners: () => Promise.resolve([]),
    announce: () => Promise.resolve(),
    metrics,
    logger: createLogger({ service: "gateway", level: "silent", nodeId: "test" }),
  });
  return { hub, metrics };
}

/** An ephemeral event as a gateway receives it. */
export function receivedLive(event: ReturnType<typeof createEvent>, serverIds: string | null = null): ReceivedEvent {
  const address = parseSubject(event.subject);
  if (address === null) throw new Error(`not a subject: ${event.subject}`);
  return {
    address,
    subject: event.subject,
    body: Buffer.from(event.body),
    definition: findEvent(event.name),
    id: null,
    stored: null,
    recovered: false,
    receivedAt: performance.now(),
    facts: readFacts(event.headers[factsHeader] ?? null) ?? {},
    pollId: null,
    answers: null,
    exceptViewersOf: null,
    serverIds,
    limits: null,
  };
}
