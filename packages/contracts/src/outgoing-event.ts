import { formatPendingJudgement, type PendingJudgement } from "./automod-requests.js";
import { type EventFacts, factsHeader, writeFacts } from "./event-facts.js";
import { type Audience, type EventDefinition, type EventName, type EventPayload, events } from "./events.js";
import { hasNewerKeys } from "./newer-keys.js";
import { type RightName, rightNames } from "./rights.js";
import { type SubjectScope, subjects } from "./subjects.js";

/** Whom an event of each audience is addressed to. */
interface Targets {
  channel: { server_id: string; channel_id: string } | { user_id: string };
  server: { server_id: string };
  user: { user_id: string };
  comembers: { user_id: string; server_ids: readonly string[] };
}
export type EventTarget<N extends EventName> = Targets[(typeof events)[N]["audience"]];

/** Headers with data for routing that neither the subject nor the payload contains; those of the payload are the event's facts. */
export const routingHeaders = {
  /** The payload shows a poll: `user_vote` is filled in per recipient. */
  poll: "Parley-Poll",
  /** The viewers of this other channel do not get the event (voice moves, 14.5). */
  exceptViewersOf: "Parley-Except-Viewers-Of",
  /** Comma-separated: the servers whose members an event for co-members concerns, or that determines the shard. */
  servers: "Parley-Servers",
  /** {@link RecipientLimits}; absent when there are none. */
  limits: "Parley-Recipients",
  /** The judgements of auto-moderation that the message still needs; absent when none. */
  automod: "Parley-Automod",
  /** The author of the message that a message replies to. */
  answers: "Parley-Answers",
} as const;

/** The owner, perhaps with ADMINISTRATORs; or the members with a right in the server (docs/protocol/permissions.md#24.2). */
export type EventReaders = "owner" | "administrators" | RightName;

/** Which of the recipients that an event is addressed to get it. */
export interface RecipientLimits {
  /** Connections with this `v`, where one change has an event for each version. */
  version?: 1 | 2 | undefined;
  /** The members whose rights cover the event's subject. */
  readers?: EventReaders | undefined;
  /** With {@link readers}: a user who does not get the event, whatever their rights. */
  except_user?: string | undefined;
  /**
   * The view rule of a channel that is gone, as `channelRuleOf` (packages/permissions) writes it; empty for every
   * member.
   */
  view_rule?: string | undefined;
  /** A newer version limits the recipients in a way that this one does not know: nobody gets the event. */
  unknown?: true | undefined;
}

/** Data for routing beyond the subject. */
export interface Routing extends Omit<RecipientLimits, "unknown"> {
  /** Id of the poll that the payload shows. */
  poll_id?: string | undefined;
  /** The viewers of this channel do not get the event. */
  except_viewers_of?: string | undefined;
  /** Rules that the message has not been judged by yet. */
  automod?: PendingJudgement | undefined;
  /** The author of the message that this one replies to, who gets it wherever they are (docs/protocol/passive-servers.md#27). */
  answers?: string | undefined;
  /** The order of an event to a user, when that is not the user's own. */
  order_key?: string | undefined;
  /** For an event to a user: the server that decides which shard gets it. */
  shard_of?: string | undefined;
}

/** An event ready to be stored or published: its subject, and its body, which is never encoded again. */
export interface OutgoingEvent<Payload = unknown> {
  name: EventName;
  subject: string;
  /** Payload that the body contains. */
  payload: Payload;
  body: string;
  headers: Record<string, string>;
  /** Id of the channel, server or user whose events keep their order: the nearest that it belongs to. */
  orderKey: string;
  /** The server that it is of, or its channel is; null for an event to a user. */
  serverId: string | null;
}

/** An {@link OutgoingEvent} that is committed, under the id by which copies of it are recognised. */
export interface OutboxRow extends Pick<OutgoingEvent, "subject" | "body" | "headers"> {
  id: string;
}

/**
 * Builds an event. The body of a client-visible event is the finished DISPATCH frame (docs/processes/events.md#subjects).
 *
 * @param name event name
 * @param target its server, channel or user; `{ user_id }` addresses a channel event to one participant of a DM
 * @param payload `d`
 * @param routing further data that determines the recipients
 */
export function createEvent<N extends EventName>(
  name: N,
  target: EventTarget<N>,
  payload: EventPayload<N>,
  routing: Routing = {},
): OutgoingEvent<EventPayload<N>> {
  const definition: EventDefinition = events[name];
  const json = JSON.stringify(payload);
  const facts = writeFacts(factsOf(definition, payload, json));
  const headers: Record<string, string> = facts === null ? {} : { [factsHeader]: facts };
  if (routing.poll_id !== undefined) headers[routingHeaders.poll] = routing.poll_id;
  if (routing.except_viewers_of !== undefined) headers[routingHeaders.exceptViewersOf] = routing.except_viewers_of;
  if (routing.automod !== undefined) headers[routingHeaders.automod] = formatPendingJudgement(routing.automod);
  if (routing.answers !== undefined) headers[routingHeaders.answers] = routing.answers;
  if ("server_ids" in target) headers[routingHeaders.servers] = target.server_ids.join(",");
  if (routing.shard_of !== undefined) headers[routingHeaders.servers] = routing.shard_of;
  const limits = formatRecipientLimits(routing);
  if (limits !== "") headers[routingHeaders.limits] = limits;
  const address = definition.kind === "durable" ? subjects.stored : subjects.live;
  const scope = scopeOf(target);
  return {
    name,
    subject: address(scope, definition.resource, name),
    payload,
    body: definition.internal ? json : dispatchFrame(name, json),
    headers,
    orderKey: routing.order_key ?? (scope.kind === "server" ? (scope.channelId ?? scope.serverId) : scope.userId),
    serverId: scope.kind === "server" ? scope.serverId : null,
  };
}

/** The facts of a payload: those that its event declares, and whether it has newer keys. @param json of the payload */
export const factsOf = ({ facts }: EventDefinition, payload: unknown, json: string): EventFacts => ({
  ...facts?.(payload),
  newer: hasNewerKeys(json) ? "1" : undefined,
});

function formatRecipientLimits({ version, readers, except_user, view_rule }: RecipientLimits): string {
  const limits = new URLSearchParams();
  if (version !== undefined) limits.set("v", String(version));
  if (readers !== undefined) limits.set("readers", readers);
  if (except_user !== undefined) limits.set("except", except_user);
  if (view_rule !== undefined) limits.set("rule", view_rule);
  return limits.toString();
}

const limitKeys: ReadonlySet<string> = new Set(["v", "readers", "except", "rule"]);
const eventReaders: readonly EventReaders[] = ["owner", "administrators", ...rightNames];

/** Reads the header that {@link createEvent} writes. */
export function parseRecipientLimits(header: string): RecipientLimits {
  const limits = new URLSearchParams(header);
  const version = limits.get("v");
  const named = limits.get("readers");
  const readers = eventReaders.find((known) => known === named);
  const isKnown = [...limits.keys()].every((key) => limitKeys.has(key));
  return {
    unknown: isKnown && (named === null || readers !== undefined) ? undefined : true,
    version: version === "1" ? 1 : version === "2" ? 2 : undefined,
    readers,
    except_user: limits.get("except") ?? undefined,
    view_rule: limits.get("rule") ?? undefined,
  };
}

function scopeOf(target: Targets[Audience]): SubjectScope {
  if ("server_ids" in target) return { kind: "comembers", userId: target.user_id };
  if ("user_id" in target) return { kind: "user", userId: target.user_id };
  return {
    kind: "server",
    serverId: target.server_id,
    channelId: "channel_id" in target ? target.channel_id : null,
  };
}

/**
 * Text of a DISPATCH frame (docs/protocol/connecting.md#14.2).
 *
 * @param name event name, `t`
 * @param payloadJson the payload, already serialised
 */
export function dispatchFrame(name: string, payloadJson: string): string {
  return `{"op":"DISPATCH","t":"${name}","d":${payloadJson}}`;
}

/**
 * Cuts the payload out of a DISPATCH frame without parsing it.
 *
 * @returns null when the text is no frame of that event
 */
export function payloadOfFrame(name: string, frame: string): string | null {
  const head = dispatchFrame(name, "").slice(0, -1);
  return frame.startsWith(head) && frame.endsWith("}") ? frame.slice(head.length, -1) : null;
}
