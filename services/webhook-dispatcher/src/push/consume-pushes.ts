import { eventsStream, parseSubject, payloadOfFrame, subjects } from "@parley/contracts";
import { isUnavailable } from "@parley/database";
import { type Consumption, consumeEach, type Messaging, type StoredMessage } from "@parley/messaging";
import { createBatcher, type Logger } from "@parley/service-runtime";
import { z } from "zod";
import { eventAckWaitMs, retryAfterOutageMs, statementsInFlightMax } from "../attempts/limits.js";
import type { CandidateRows } from "./candidate-rows.js";
import { pushBatchMax, pushEventsHandledMax } from "./limits.js";

/** Events of messages that may be pushed, and the parts of their bodies that this file reads. */
const created = new Set(["MESSAGE_CREATE", "THREAD_MESSAGE_CREATE", "DM_MESSAGE_CREATE"]);
const newMessage = z.object({ id: z.uuid(), mention_everyone: z.boolean().default(false) });
const readState = z.object({ channel_id: z.uuid() });

/**
 * Stores rows for the pushes of users' devices: messages of servers, direct messages, and channels that a user read
 * elsewhere. It acks an event once the rows are stored; an event that it reads twice yields the same rows.
 *
 * @param options.onDue is called when something may have become due
 */
export function consumePushes(options: {
  messaging: Messaging;
  candidates: CandidateRows;
  onDue: () => void;
  logger: Logger;
}): Consumption {
  const { messaging, candidates, onDue, logger } = options;
  const batched = <In>(work: (items: readonly In[]) => Promise<number>, batchMax = pushBatchMax) =>
    createBatcher<In, undefined>({
      batchMax,
      inFlightMax: statementsInFlightMax,
      async work(items) {
        if ((await work(items)) > 0) onDue();
        return items.map(() => undefined);
      },
    });
  const named = batched(candidates.named);
  // One may be about all members of a large server: the others do not wait for it.
  const everyone = batched<string>(async ([id = ""]) => candidates.everyone(id), 1);
  const direct = batched(candidates.direct);
  const read = batched(candidates.read);

  const consumer = <Payload>(
    name: string,
    filter: string,
    schema: z.ZodType<Payload>,
    handle: (payload: Payload, userId: string) => Promise<unknown>,
  ) =>
    consumeEach({
      messaging,
      logger,
      consumer: {
        stream: eventsStream,
        name,
        filter,
        ackWaitMs: eventAckWaitMs,
        unackedMax: pushEventsHandledMax * 10,
      },
      handledMax: pushEventsHandledMax,
      retryMs: retryAfterOutageMs,
      isOutage: isUnavailable,
      async handle(message) {
        const event = readEvent(message);
        if (event === null) return;
        const { success, data } = schema.safeParse(event.payload);
        if (success) await handle(data, event.userId);
        else logger.error({ subject: message.subject, event_id: message.id }, "an event cannot be read");
      },
    });
  const consumptions = [
    consumer("push-messages", subjects.storedMessages, newMessage, ({ id, mention_everyone }) =>
      mention_everyone ? everyone(id) : named(id),
    ),
    consumer("push-direct-messages", subjects.storedDirectMessages, newMessage, ({ id: messageId }, userId) =>
      direct({ userId, messageId }),
    ),
    consumer("push-read-states", subjects.storedReadStates, readState, ({ channel_id: channelId }, userId) =>
      read({ userId, channelId }),
    ),
  ];
  return { close: async () => void (await Promise.all(consumptions.map((each) => each.close()))) };
}

/** @returns null for an event that no push is about */
function readEvent({ subject, body }: StoredMessage): { userId: string; payload: unknown } | null {
  const address = parseSubject(subject);
  if (address === null) return null;
  const { event, scope } = address;
  if (!created.has(event) && event !== "READ_STATE_UPDATE") return null;
  const text = payloadOfFrame(event, Buffer.from(body).toString("utf8"));
  return { userId: scope.kind === "user" ? scope.userId : "", payload: text === null ? null : JSON.parse(text) };
}
