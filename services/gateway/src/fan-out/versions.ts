import { withoutNewerKeys } from "@parley/contracts";
import type { ReceivedEvent } from "@parley/messaging";
import type { Topic } from "../query/connection-query.js";

/** Each is made once, for live connections and those that continue. */
const olderBodies = new WeakMap<ReceivedEvent, Uint8Array>();

function olderBody(event: ReceivedEvent): Uint8Array {
  const known = olderBodies.get(event);
  if (known !== undefined) return known;
  const body = Buffer.from(withoutNewerKeys(Buffer.from(event.body).toString()));
  olderBodies.set(event, body);
  return body;
}

/** The body of an event for connections of a version: `v=1` does not get newer keys (docs/protocol/messages.md#33.3). */
export const bodyFor = (version: 1 | 2, event: ReceivedEvent): Uint8Array =>
  version === 1 && event.facts.newer !== undefined ? olderBody(event) : event.body;

/** The bodies of an event, and for each the topic of the connections that get it. Most events have one for all. */
export function bodiesOf(event: ReceivedEvent, topic: Topic): { topic: Topic; body: Uint8Array }[] {
  if (event.facts.newer === undefined || topic.version !== null)
    return [{ topic, body: bodyFor(topic.version ?? 2, event) }];
  return ([2, 1] as const).map((version) => ({ topic: { ...topic, version }, body: bodyFor(version, event) }));
}
