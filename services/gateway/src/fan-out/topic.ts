import type { ReceivedEvent } from "@parley/messaging";
import type { Topic } from "../query/connection-query.js";
import { crc32 } from "../query/shard.js";

const dispatch = Buffer.from('{"op":"DISPATCH"');

/** Whether clients get an event. An event of a newer version has no known entry; then its body decides. */
export function isForClients({ definition, body }: ReceivedEvent): boolean {
  return definition === null ? dispatch.equals(body.subarray(0, dispatch.length)) : definition.internal !== true;
}

/**
 * The properties by which queries of connections select an event.
 *
 * @param serverCrc checksum of the id of the event's server; null for an event to a user
 */
export function topicOf(event: ReceivedEvent, serverCrc: number | null): Topic {
  const { address, definition, limits, serverIds } = event;
  return {
    event: address.event,
    serverCrc: serverCrc === null && serverIds !== null ? crc32(serverIds) : serverCrc,
    // Clients that know only the events of this version get none of a newer one.
    version: limits?.version ?? (definition === null ? 2 : (definition.version ?? null)),
    ...(definition?.mustBeNamed && { mustBeNamed: true }),
    watched: definition?.toMemberWatchers ? { memberId: memberOf(event) } : null,
  };
}

/** The member who also gets an event of member watchers; null for an event that only the watchers get. */
export function memberOf({ address, facts }: ReceivedEvent): string | null {
  return address.event === "MEMBER_UPDATE" ? (facts.user ?? null) : null;
}
