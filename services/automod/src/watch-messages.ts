import {
  Attachment,
  type AutomodServerRules,
  type AutomodStored,
  countMentions,
  editTriggerTypes,
  eventsStream,
  Message,
  parsePendingJudgement,
  parseSubject,
  routingHeaders,
  subjects,
  textsOfComponents,
  textsOfEmbeds,
} from "@parley/contracts";
import { type Database, defineStatement, isUnavailable } from "@parley/database";
import { type Consumption, consume, type Messaging, redeliver, type StoredMessage } from "@parley/messaging";
import {
  automodColumn,
  automodRulesColumn,
  automodRulesSettings,
  automodSettings,
  settingsWhileOff,
} from "@parley/moderation";
import type { Logger } from "@parley/service-runtime";
import { z } from "zod";
import type { Judging } from "./judging.js";
import {
  eventAckWaitMs,
  eventBatchMax,
  eventRetryMs,
  eventsUnackedMax,
  eventsWaitingMax,
  lateAfterMs,
} from "./limits.js";
import type { AutomodMetrics } from "./metrics.js";

const settingsStatement = defineStatement({
  name: "automod_late_settings",
  text: `SELECT ${automodColumn}, ${automodRulesColumn}
    FROM servers s LEFT JOIN automod_configs a ON a.server_id = s.id WHERE s.id = $1`,
  row: z.object({ automod: automodSettings, automod_rules: automodRulesSettings }),
});

const Frame = z.object({ d: Message.extend({ attachments: z.array(Attachment).optional() }) });

/** A stored message whose event names rules that have not judged it yet. */
interface PendingMessage {
  /** The input of a judgement, without the server's settings. */
  stored: Omit<AutomodStored, "words_version" | "spam_max_messages" | "spam_window_secs" | "server_rules">;
  /** The facts that the server's own rules read of the message. */
  facts: Pick<AutomodServerRules, "mentions" | "mime_types" | "files">;
  isEdit: boolean;
  /** When the text was sent, or edited. */
  writtenAtMs: number;
  event: StoredMessage;
}

/**
 * Reads a message event.
 *
 * @returns null when nothing is to be judged, as for most events; these lack the header, and their body is not parsed
 */
function readPendingMessage(event: StoredMessage): PendingMessage | null {
  const header = event.header(routingHeaders.automod);
  const pending = header === null ? null : parsePendingJudgement(header);
  const address = parseSubject(event.subject);
  if (pending === null || address?.scope.kind !== "server") return null;
  const { d: message } = Frame.parse(JSON.parse(Buffer.from(event.body).toString()));
  // The account is deleted.
  if (message.author_id === null) return null;
  // An edit of a message with a poll changes the content and nothing else.
  const isEdit = address.event === "MESSAGE_UPDATE";
  const poll = isEdit ? null : message.poll;
  const attachments = isEdit ? [] : [...(message.attachments ?? []), ...(message.forwarded?.attachments ?? [])];
  return {
    stored: {
      judgement_id: pending.judgementId,
      rules: [...pending.rules],
      server_id: address.scope.serverId,
      channel_id: message.channel_id,
      user_id: message.author_id,
      message_id: message.id,
      content: message.content,
      texts: poll === null ? textsOf(message) : [poll.question, ...poll.options.map(({ text }) => text)],
      ticket: null,
    },
    facts: {
      mentions: countMentions(
        message.mention_user_ids,
        message.mention_everyone,
        message.mention_here === true,
        message.mention_role_ids?.length ?? 0,
      ),
      mime_types: attachments.map(({ mime_type }) => mime_type),
      files: attachments.length,
    },
    isEdit,
    writtenAtMs: Date.parse(message.edited_at ?? message.created_at),
    event,
  };
}

/** The content of a message shows the name of its scheduled event. */
const textsOf = ({ content, event, embeds, components, forwarded }: Message) => [
  content,
  ...(event?.description ? [event.description] : []),
  ...textsOfEmbeds(embeds ?? []),
  ...textsOfComponents(components ?? []),
  ...(forwarded ? [forwarded.content] : []),
];

/**
 * Judges stored messages that were not judged in time (docs/protocol/automod.md#11.2, rule 9).
 *
 * It consumes the events of all stored messages; most are judged on a request of the api at about the same time. States
 * of an event:
 *
 * - acknowledged at once, when no rule has still to judge its message
 * - waiting until its message is {@link lateAfterMs} old
 * - acknowledged, when the message is marked as judged by then
 * - judged, and acknowledged after the action was taken; if the process dies before, another process receives the event
 */
export function watchMessages(options: {
  database: Database;
  messaging: Messaging;
  judging: Pick<Judging, "findJudged" | "judgeStored">;
  metrics: AutomodMetrics;
  logger: Logger;
}): Consumption {
  const { database, messaging, judging, metrics, logger } = options;
  const waiting: { message: PendingMessage; dueAt: number }[] = [];
  let judged = 0;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let makeRoom: () => void = () => undefined;

  const untilRoom = async () => {
    while (waiting.length + judged >= eventsWaitingMax) {
      await new Promise<void>((resolve) => {
        makeRoom = resolve;
      });
    }
    return eventsWaitingMax - waiting.length - judged;
  };

  const take = (event: StoredMessage) => {
    let message: PendingMessage | null;
    try {
      message = readPendingMessage(event);
    } catch (err) {
      logger.error({ err, event_id: event.id }, "a message event could not be read");
      message = null;
    }
    if (message === null) return event.ack();
    // The clock of the database may be ahead of this process; no event waits longer than `lateAfterMs` from now.
    waiting.push({ message, dueAt: Math.min(message.writtenAtMs, Date.now()) + lateAfterMs });
    metrics.setWaitingEvents(waiting.length + judged);
    schedule();
  };

  const schedule = () => {
    const [first] = waiting;
    if (first === undefined || closed || judged > 0 || timer !== undefined) return;
    timer = setTimeout(
      () => {
        timer = undefined;
        running = judgeDue().finally(schedule);
      },
      Math.max(0, first.dueAt - Date.now()),
    );
  };

  const judgeDue = async () => {
    const now = Date.now();
    const due: PendingMessage[] = [];
    while (due.length < eventBatchMax && (waiting[0]?.dueAt ?? Number.POSITIVE_INFINITY) <= now) {
      const next = waiting.shift();
      if (next !== undefined) due.push(next.message);
    }
    judged = due.length;
    const done = await judging.findJudged(due.map(({ stored }) => stored.judgement_id));
    const byAuthor = new Map<string, PendingMessage[]>();
    for (const [index, message] of due.entries()) {
      const author = message.stored.user_id;
      if (done[index]) message.event.ack();
      else byAuthor.set(author, [...(byAuthor.get(author) ?? []), message]);
    }
    // One author's messages are judged in the order of the stream: whether one is a duplicate may depend on another.
    await Promise.all(Array.from(byAuthor.values(), judgeInOrder));
    judged = 0;
    metrics.setWaitingEvents(waiting.length);
    makeRoom();
  };

  const judgeInOrder = async (messages: readonly PendingMessage[]) => {
    for (const message of messages) {
      try {
        await judgeLate(message);
        message.event.ack();
      } catch (err) {
        const how = { consumer: consumer.name, isOutage: isUnavailable(err), retryMs: eventRetryMs, logger };
        redeliver({ messaging, message: message.event, error: err, ...how });
      }
    }
  };

  const judgeLate = async ({ stored, facts, isEdit, writtenAtMs }: PendingMessage) => {
    const [row] = await database.query(settingsStatement, [stored.server_id]);
    // While auto-moderation is off, there are no settings; nor are there rules once they are deleted.
    const settings = row?.automod ?? null;
    const own = row?.automod_rules ?? null;
    const rules = stored.rules.filter((rule) =>
      rule === "server_rules" ? own !== null : settings?.rules.includes(rule),
    );
    if (rules.length === 0) return;
    const types = isEdit ? own?.types.filter((type) => editTriggerTypes.includes(type)) : own?.types;
    const server_rules = own && { version: own.version, types: types ?? [], ...facts };
    await judging.judgeStored(
      { ...(settings ?? settingsWhileOff), ...stored, rules, server_rules },
      writtenAtMs,
      "late",
    );
  };

  const consumer = {
    stream: eventsStream,
    name: "automod",
    filter: subjects.storedMessages,
    ackWaitMs: eventAckWaitMs,
    unackedMax: eventsUnackedMax,
  };
  const consumption = consume({ messaging, consumer, demand: untilRoom, handler: take, logger });
  return {
    async close() {
      await consumption.close();
      closed = true;
      clearTimeout(timer);
      await running;
      for (const { message } of waiting.splice(0)) message.event.retry(0);
    },
  };
}
