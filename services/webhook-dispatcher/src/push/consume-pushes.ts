import { eventsStream, parseSubject, payloadOfFrame, subjects } from "@parley/contracts";
import { isUnavailable } from "@parley/database";
import { type Consumption, consumeEach, type Messaging, type StoredMessage } from "@parley/messaging";
import { createBatcher, type Logger } from "@parley/service-runtime";
import { z } from "zod";
import { eventAckWaitMs, retryAfterOutageMs, statementsInFlightMax } from "../attempts/limits.js";
import type { CandidateRows, DirectCandidate } from "./candidate-rows.js";
import { pushBatchMax, pushEventsHandledMax } from "./limits.js";

/** Events of new messages, which may be pushed, and the parts of bodies that this file reads. */
const created = new Set(["MESSAGE_CREATE", "THREAD_MESSAGE_CREATE", "DM_MESSAGE_CREATE"]);
/** Events after which the items of messages in inboxes may be others. */
const changed = new Set(["MESSAGE_UPDATE", "MESSAGE_DELETE", "MESSAGE_DELETE_BULK"]);
const newMessage = z.object({
  id: z.uuid(),
  mention_everyone: z.boolean().default(false),
  mention_here: z.boolean().default(false),
  mention_user_ids: z.array(z.unknown()).default([]),
  mention_role_ids: z.array(z.unknown()).default([]),
  reply_to: z.uuid().nullish(),
  thread_id: z.uuid().nullish(),
});
const changedMessages = z.union([
  z.object({ id: z.uuid() }).transform(({ id }) => [id]),
  z.object({ ids: z.array(z.uuid()) }).transform(({ ids }) => ids),
]);
const readState = z.object({ channel_id: z.uuid(), thread_id: z.uuid().optional(), last_read_at: z.string() });

/** The mark of an account in a channel, direct messages or a thread. */
interface ReadMark {
  readonly userId: string;
  readonly placeId: string;
  readonly readAt: string;
}

/** The items of inboxes, which the same events cause. */
interface Inbox {
  messages: (messageIds: readonly string[]) => Promise<unknown>;
  direct: (sent: readonly DirectCandidate[]) => Promise<unknown>;
  read: (marks: readonly ReadMark[]) => Promise<unknown>;
}

/**
 * Stores rows for the pushes of users' devices and the items of their inboxes: messages of servers, direct messages, and
 * channels that a user read elsewhere. It acks an event once the rows are stored; an event that it reads twice yields the
 * same rows.
 *
 * @param options.onDue is called when something may have become due
 */
export function consumePushes(options: {
  messaging: Messaging;
  candidates: CandidateRows;
  inbox: Inbox;
  onDue: () => void;
  logger: Logger;
}): Consumption {
  const { messaging, candidates, inbox, onDue, logger } = options;
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
  const group = batched<string>(async ([id = ""]) => candidates.group(id), 1);
  const direct = batched(candidates.direct);
  const read = batched(candidates.read);
  const stored = <In>(work: (items: readonly In[]) => Promise<unknown>, batchMax = pushBatchMax) =>
    createBatcher<In, undefined>({
      batchMax,
      inFlightMax: statementsInFlightMax,
      async work(items) {
        await work(items);
        return items.map(() => undefined);
      },
    });
  const inboxItems = stored(inbox.messages);
  const inboxItemsOfAll = stored(inbox.messages, 1);
  const inboxDirect = stored(inbox.direct);
  const inboxRead = stored(inbox.read);
  /** Most messages are in nobody's inbox. */
  const toInboxes = (message: z.infer<typeof newMessage>) => {
    const { id, mention_everyone, mention_user_ids, reply_to, thread_id } = message;
    if (mention_everyone || mentionsGroup(message)) return inboxItemsOfAll(id);
    const isForSomebody = mention_user_ids.length > 0 || reply_to != null || thread_id != null;
    return isForSomebody ? inboxItems(id) : undefined;
  };

  const consumer = (name: string, filter: string, handle: (event: StoredEvent) => Promise<unknown>) =>
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
        if (event !== null) await handle(event);
      },
    });
  /** @returns null for an event that cannot be read, which is logged */
  const parse = <Payload>(schema: z.ZodType<Payload>, { payload, subject, id }: StoredEvent): Payload | null => {
    const { success, data } = schema.safeParse(payload);
    if (success) return data;
    logger.error({ subject, event_id: id }, "an event cannot be read");
    return null;
  };
  const consumptions = [
    consumer("push-messages", subjects.storedMessages, async (event) => {
      if (changed.has(event.name)) {
        await Promise.all((parse(changedMessages, event) ?? []).map(inboxItems));
      } else if (created.has(event.name)) {
        const message = parse(newMessage, event);
        if (message === null) return;
        const candidatesOf = message.mention_everyone ? everyone : mentionsGroup(message) ? group : named;
        await Promise.all([candidatesOf(message.id), toInboxes(message)]);
      }
    }),
    consumer("push-direct-messages", subjects.storedDirectMessages, async (event) => {
      const message = parse(newMessage, event);
      if (message === null) return;
      const candidate = { userId: event.userId, messageId: message.id };
      await Promise.all([direct(candidate), message.reply_to == null ? undefined : inboxDirect(candidate)]);
    }),
    consumer("push-read-states", subjects.storedReadStates, async (event) => {
      const { userId } = event;
      const state = parse(readState, event);
      if (state === null) return;
      const { channel_id: channelId, thread_id: placeId = channelId, last_read_at: readAt } = state;
      await Promise.all([read({ userId, channelId }), inboxRead({ userId, placeId, readAt })]);
    }),
  ];
  return { close: async () => void (await Promise.all(consumptions.map((each) => each.close()))) };
}

const mentionsGroup = ({ mention_here, mention_role_ids }: z.infer<typeof newMessage>): boolean =>
  mention_here || mention_role_ids.length > 0;

/** An event of the stream, and the user whom it is addressed to; empty for one of a server. */
interface StoredEvent extends Pick<StoredMessage, "subject" | "id"> {
  name: string;
  userId: string;
  payload: unknown;
}

/** @returns null for an event that is about neither a push nor an inbox */
function readEvent({ subject, body, id }: StoredMessage): StoredEvent | null {
  const address = parseSubject(subject);
  if (address === null) return null;
  const { event: name, scope } = address;
  if (!created.has(name) && !changed.has(name) && name !== "READ_STATE_UPDATE") return null;
  const text = payloadOfFrame(name, Buffer.from(body).toString("utf8"));
  const userId = scope.kind === "user" ? scope.userId : "";
  return { subject, id, name, userId, payload: text === null ? null : JSON.parse(text) };
}
