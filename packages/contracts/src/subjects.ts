/**
 * Every NATS address of the service. A subject written as a literal anywhere else is a bug.
 *
 * `events.…` is stored in the stream EVENTS, which republishes it as `live.…`. Ephemeral events are
 * published on `live.…` directly, so that a gateway holds one subscription per server and one per user.
 */

/** Name of the stream that keeps durable events for gap filling and durable consumers (docs/processes/events.md#stream). */
export const eventsStream = "EVENTS";
/** Name of the work queue of webhook deliveries (docs/processes/webhook-dispatcher.md#webhooks). */
export const deliveriesStream = "DELIVERIES";

const storedPrefix = "events.";
const livePrefix = "live.";
const noChannel = "_";

/** Where an event belongs: a server (perhaps one of its channels), a user, or those who share a server with a user. */
export type SubjectScope =
  | { kind: "server"; serverId: string; channelId: string | null }
  | { kind: "user"; userId: string }
  | { kind: "comembers"; userId: string };

function scopeTokens(scope: SubjectScope): string {
  switch (scope.kind) {
    case "server":
      return `server.${scope.serverId}.${scope.channelId ?? noChannel}`;
    case "user":
      return `user.${scope.userId}`;
    case "comembers":
      return `comembers.${scope.userId}`;
  }
}

/** Builders of subjects and subscription patterns. */
export const subjects = {
  /** Everything that the stream EVENTS keeps. */
  allStored: `${storedPrefix}>`,
  /** Everything that gateways may subscribe to. */
  allLive: `${livePrefix}>`,
  /** An event that the stream keeps. */
  stored: (scope: SubjectScope, resource: string, event: string) =>
    `${storedPrefix}${scopeTokens(scope)}.${resource}.${event}`,
  /** An ephemeral event, which the stream does not keep. */
  live: (scope: SubjectScope, resource: string, event: string) =>
    `${livePrefix}${scopeTokens(scope)}.${resource}.${event}`,
  /** All events of one server, for a gateway with members of it. */
  liveServer: (serverId: string) => `${livePrefix}server.${serverId}.>`,
  /** All events of one user, for a gateway with connections of theirs. */
  liveUser: (userId: string) => `${livePrefix}user.${userId}.>`,
  /** Ends of the sessions of all users: any gateway ends the presence that lost connections of such a user keep. */
  liveSessionEnds: `${livePrefix}user.*.sessions.*`,
  /** Presence of all users: the header names the servers, so one message serves however many are shared. */
  liveComembers: `${livePrefix}comembers.>`,
  /** The stored events of one server: the stored side of {@link subjects.liveServer}. */
  storedServer: (serverId: string) => `${storedPrefix}server.${serverId}.>`,
  /** The stored events of one user: the stored side of {@link subjects.liveUser}. */
  storedUser: (userId: string) => `${storedPrefix}user.${userId}.>`,
  /**
   * Stored when the stream got no other event for a while, so that every gateway's position in the stream stays recent.
   */
  storedHeartbeat: `${storedPrefix}heartbeat`,
  liveHeartbeat: `${livePrefix}heartbeat`,
  /** Message events of one server. */
  storedMessagesOf: (serverId: string) => `${storedPrefix}server.${serverId}.*.messages.*`,
  /** Message events of all servers, for the durable consumers. */
  storedMessages: `${storedPrefix}server.*.*.messages.*`,
  /** Direct messages, one for each participant of their channel, for the durable consumer that pushes them. */
  storedDirectMessages: `${storedPrefix}user.*.direct-messages.DM_MESSAGE_CREATE`,
  /** Read marks of users, for the durable consumer that recalls pushes. */
  storedReadStates: `${storedPrefix}user.*.read-states.*`,
  /** Events of the members of all servers, for the durable consumer that judges names. */
  storedMembers: `${storedPrefix}server.*.*.members.*`,
  /** Request/reply: may this message be stored? */
  automodCheck: "automod.check",
  /** Request/reply: a message was stored; is it spam? */
  automodStored: "automod.stored",
  /** Notice: a message that automod.check cleared is stored, or never will be. */
  automodSettled: "automod.settled",
  /** Request/reply: which rules of a server would a text match? */
  automodRuleTest: "automod.rule-test",
  /** Request/reply: does this gateway process live? */
  gatewayAlive: (gatewayId: string) => `gateways.${gatewayId}.alive`,
  /** Notice: interactions wait for a webhook-dispatcher. */
  interactionsWaiting: "interactions.waiting",
  /** Notice: the answer of a bot by HTTP. */
  interactionAnswered: "interactions.answered",
  /** A delivery job of one webhook. */
  delivery: (webhookId: string) => `deliveries.${webhookId}`,
  allDeliveries: "deliveries.*",
} as const;

/** The webhook that a job of {@link subjects.delivery} is for; null when the subject is none of these. */
export function webhookOfDelivery(subject: string): string | null {
  const [kind, webhookId, ...rest] = subject.split(".");
  return kind === "deliveries" && webhookId !== undefined && rest.length === 0 ? webhookId : null;
}

/** The live address under which the stream republishes a stored subject. */
export function liveSubjectOf(storedSubject: string): string {
  return livePrefix + storedSubject.slice(storedPrefix.length);
}

/** The address that a gateway reads from the subject of a live or stored event. */
export interface ParsedSubject {
  scope: SubjectScope;
  resource: string;
  event: string;
}

/**
 * Takes a subject of {@link subjects} apart.
 *
 * @param subject `live.…` or `events.…`
 * @returns null when it is none of ours
 */
export function parseSubject(subject: string): ParsedSubject | null {
  const tokens = subject.split(".");
  const [, kind, owner] = tokens;
  if (owner === undefined) return null;
  if (kind === "server") {
    const [, , , channel, resource, event] = tokens;
    if (channel === undefined || resource === undefined || event === undefined) return null;
    const channelId = channel === noChannel ? null : channel;
    return { scope: { kind, serverId: owner, channelId }, resource, event };
  }
  if (kind === "user" || kind === "comembers") {
    const [, , , resource, event] = tokens;
    if (resource === undefined || event === undefined) return null;
    return { scope: { kind, userId: owner }, resource, event };
  }
  return null;
}
