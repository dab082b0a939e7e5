import { channel } from "node:diagnostics_channel";
import { type ClientEventName, type EventFacts, parseSubject } from "@parley/contracts";

/** An operation that may change something for clients: an endpoint, an op, a job. */
export interface Operation {
  readonly name: string;
  /** Every event that it may cause (docs/protocol/events.md#23.2). */
  readonly causes: readonly ClientEventName[];
}

const operations = channel("parley:operations");
const eventsPublished = channel("parley:events-published");
const factsReceived = channel("parley:facts-received");

/**
 * Runs an operation. Tests bind a store to the channel and compare the events that the operation publishes, however
 * long after its answer, with its declaration; nobody else listens.
 */
export function runOperation<Result>(operation: Operation, work: () => Result): Result {
  return operations.runStores(operation, work);
}

/** Says that the operation under way publishes an event, or has committed it. */
export function notePublished({ subject }: { subject: string }): void {
  if (eventsPublished.hasSubscribers) eventsPublished.publish(parseSubject(subject)?.event);
}

/** Whether tests compare the facts of received events: nobody else pays for reading them twice. */
export const areFactsCompared = (): boolean => factsReceived.hasSubscribers;

/** Hands the facts of a received event to tests: those of its headers and of its payload. */
export function noteFacts(event: string, facts: { headers: EventFacts | null; payload: EventFacts }): void {
  factsReceived.publish({ event, ...facts });
}
