import { createEvent, type LinkPreview, ServiceError } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import type { LinkPreviewService } from "../link-previews/service.js";
import { previewedLinks } from "./links.js";
import { endPreviewTask, storePreviews } from "./repository.js";
import { delayTask, dropTask, findContent, type Task } from "./task-repository.js";

/** How often the cards of a message are tried. */
const attemptsMax = 3;
/** Pause after an attempt that found no turn, as often as there were attempts. */
const pauseSeconds = 2;
/** Time for the pages of a message; shorter than a claim lasts, so that its process still stores them. */
const pagesTimeoutMs = 10_000;

/** The result for a link: its card, null for a page without one, and undefined when there was no time for it. */
type Outcome = LinkPreview | null | undefined;

/** Makes the link cards of one claimed message. It may be repeated, and by several processes: the first one stores. */
export function createMakePreviews(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  linkPreviews: LinkPreviewService;
}) {
  const { database, outbox, linkPreviews } = options;

  const cardOf = async (userId: string, url: string, signal: AbortSignal): Promise<Outcome> => {
    try {
      const preview = await linkPreviews.preview(userId, url, signal);
      return preview.title === null ? null : preview;
    } catch (error) {
      if (signal.aborted) return undefined;
      if (!(error instanceof ServiceError)) throw error;
      return error.kind === "invalid_input" ? null : undefined;
    }
  };

  /** Stores and announces the cards, unless another process has, or the message was edited to have other links. */
  const store = ({ message_id, server_id }: Task, channel_id: string, outcomes: ReadonlyMap<string, Outcome>) =>
    outbox.transaction([{ server_id, channel_id }], async (transaction, emit) => {
      const message = await findContent(transaction, message_id);
      const links = previewedLinks(message?.content ?? "");
      if (!links.every((url) => outcomes.has(url)) || !(await endPreviewTask(transaction, message_id))) return;
      const previews = links.flatMap((url) => outcomes.get(url) ?? []);
      if (!(await storePreviews(transaction, message_id, previews))) return;
      emit(createEvent("MESSAGE_PREVIEWS", { server_id, channel_id }, { channel_id, message_id, previews }));
    });

  return async (task: Task, stopped: AbortSignal): Promise<void> => {
    const message = await findContent(database, task.message_id);
    const links = previewedLinks(message?.content ?? "");
    if (message === null || links.length === 0 || task.is_late || task.attempts > attemptsMax) {
      await dropTask(database, task);
      return;
    }
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(pagesTimeoutMs)]);
    const cards = await Promise.all(links.map((url) => cardOf(task.author_id, url, signal)));
    stopped.throwIfAborted();
    if (cards.includes(undefined) && task.attempts < attemptsMax) {
      await delayTask(database, task, pauseSeconds * task.attempts);
      return;
    }
    await store(task, message.channel_id, new Map(links.map((url, index) => [url, cards[index]])));
  };
}
