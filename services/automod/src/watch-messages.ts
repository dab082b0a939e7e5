import { eventsStream, subjects } from "@parley/contracts";
import { type Database, defineStatement } from "@parley/database";
import { type Consumption, consume, type Messaging, type StoredMessage } from "@parley/messaging";
import { type AutomodSettings, automodColumn, automodSettings } from "@parley/moderation";
import type { Logger } from "@parley/service-runtime";
import { z } from "zod";
import type { JudgeStored } from "./judge-stored.js";
import type { JudgedMarks } from "./judged-marks.js";
import {
  eventAckWaitMs,
  eventBatchMax,
  eventRetryMs,
  eventsHeldMax,
  eventsUnsettledMax,
  lateAfterMs,
} from "./limits.js";
import type { AutomodMetrics } from "./metrics.js";
import { type PendingMessage, readPendingMessage } from "./pending-message.js";

const settingsStatement = defineStatement({
  name: "automod_late_settings",
  text: `SELECT ${automodColumn} FROM servers s JOIN automod_configs a ON a.server_id = s.id WHERE s.id = $1`,
  row: z.object({ automod: automodSettings }),
});

interface Held {
  message: PendingMessage;
  dueAt: number;
}

/**
 * Judges stored messages that were not judged in time (docs/interface.md#11.2, rule 9).
 *
 * It consumes the events of all stored messages; most are judged on a request of the api at about the same time. States
 * of an event:
 *
 * - acknowledged at once, when no rule has still to judge its message
 * - held until its message is {@link lateAfterMs} old
 * - acknowledged, when the message is marked as judged by then
 * - judged, and acknowledged after the action was taken; if the process dies before, another process receives the event
 */
export function watchMessages(options: {
  database: Database;
  messaging: Messaging;
  judgeStored: JudgeStored;
  marks: JudgedMarks;
  metrics: AutomodMetrics;
  logger: Logger;
}): Consumption {
  const { database, messaging, judgeStored, marks, metrics, logger } = options;
  const held: Held[] = [];
  let judging = 0;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let makeRoom: () => void = () => undefined;

  const placesFree = async () => {
    while (held.length + judging >= eventsHeldMax) {
      await new Promise<void>((resolve) => {
        makeRoom = resolve;
      });
    }
    return eventsHeldMax - held.length - judging;
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
    // The clock of the database may be ahead of this process; no event is held longer than `lateAfterMs` from now.
    held.push({ message, dueAt: Math.min(message.writtenAtMs, Date.now()) + lateAfterMs });
    metrics.setHeldEvents(held.length + judging);
    schedule();
  };

  const schedule = () => {
    const [first] = held;
    if (first === undefined || closed || judging > 0 || timer !== undefined) return;
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
    while (due.length < eventBatchMax && (held[0]?.dueAt ?? Number.POSITIVE_INFINITY) <= now) {
      const next = held.shift();
      if (next !== undefined) due.push(next.message);
    }
    judging = due.length;
    const marked = await marks.find(due.map(({ judgementId }) => judgementId));
    const byAuthor = new Map<string, PendingMessage[]>();
    for (const [index, message] of due.entries()) {
      if (marked[index]) message.event.ack();
      else byAuthor.set(message.userId, [...(byAuthor.get(message.userId) ?? []), message]);
    }
    // One author's messages are judged in the order of the stream: whether one is a duplicate may depend on another.
    await Promise.all(Array.from(byAuthor.values(), judgeInOrder));
    judging = 0;
    metrics.setHeldEvents(held.length);
    makeRoom();
  };

  const judgeInOrder = async (messages: readonly PendingMessage[]) => {
    for (const message of messages) {
      try {
        await judgeLate(message);
        message.event.ack();
      } catch (err) {
        logger.warn({ err, message_id: message.messageId }, "a late judgement failed");
        message.event.retry(eventRetryMs);
      }
    }
  };

  const judgeLate = async (message: PendingMessage) => {
    const settings = await findLateSettings(database, message.serverId);
    if (settings === null) return;
    const rules = message.rules.filter((rule) => settings.rules.includes(rule));
    if (rules.length === 0) return;
    const stored = {
      ...settings,
      judgement_id: message.judgementId,
      server_id: message.serverId,
      channel_id: message.channelId,
      user_id: message.userId,
      message_id: message.messageId,
      content: message.content,
      texts: message.texts,
      rules,
      ticket: null,
    };
    await judgeStored(stored, message.writtenAtMs, "late");
  };

  const consumer = {
    stream: eventsStream,
    name: "automod",
    filter: subjects.storedMessages,
    ackWaitMs: eventAckWaitMs,
    unackedMax: eventsUnsettledMax,
  };
  const consumption = consume({ messaging, consumer, demand: placesFree, handler: take, logger });
  return {
    async close() {
      await consumption.close();
      closed = true;
      clearTimeout(timer);
      await running;
      for (const { message } of held.splice(0)) message.event.retry(0);
    },
  };
}

/** A server's present settings, for messages whose check had no answer; null while auto-moderation is off. */
async function findLateSettings(database: Database, serverId: string): Promise<AutomodSettings> {
  const [row] = await database.query(settingsStatement, [serverId]);
  return row?.automod ?? null;
}
