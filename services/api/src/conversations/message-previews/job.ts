import type { Database, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import type { Logger } from "@parley/service-runtime";
import { type Job, untilNone } from "../../platform/jobs/job.js";
import type { LinkPreviewService } from "../link-previews/service.js";
import { createMakePreviews } from "./make-previews.js";
import { claimTask, duePreviewTasks, returnTask, type Task } from "./task-repository.js";

/** Messages whose cards a process makes at a time: in all, of one author, of one server. */
const runningMax = 8;
const runningPerAuthorMax = 2;
const runningPerServerMax = 4;
/** Minutes after which a message that still waits gets no cards. */
const lateMinutes = 10;

/**
 * Makes the link cards of messages (docs/protocol/messages.md#28.11), away from the requests that sent these. The messages are
 * noted with their own statement, so whichever process dies, another one makes the cards.
 */
export function makePreviews(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  linkPreviews: LinkPreviewService;
  logger: Logger;
}): Job {
  const { database, logger } = options;
  const make = createMakePreviews(options);
  const running = new Map<Task, Promise<void>>();
  const stop = new AbortController();
  const onFailure = (err: unknown) => logger.warn({ err }, "link cards could not be made yet");

  const run = async (task: Task) => {
    try {
      await make(task, stop.signal);
    } catch (error) {
      if (stop.signal.aborted) await returnTask(database, task);
      else onFailure(error);
    }
  };

  const begin = (task: Task) => {
    const ended = run(task)
      .catch(onFailure)
      .finally(() => running.delete(task));
    running.set(task, ended);
  };

  return {
    name: "link cards",
    causes: ["MESSAGE_PREVIEWS"],
    when: { due: duePreviewTasks },
    async batch() {
      if (running.size >= runningMax) return untilNone(0);
      const tasks = [...running.keys()];
      const authors = crowded(
        tasks.map(({ author_id }) => author_id),
        runningPerAuthorMax,
      );
      const servers = crowded(
        tasks.map(({ server_id }) => server_id),
        runningPerServerMax,
      );
      const task = await claimTask(database, { authors, servers, lateMinutes });
      if (task === null) return untilNone(0);
      if (stop.signal.aborted) await returnTask(database, task);
      else begin(task);
      return untilNone(1);
    },
    async close() {
      stop.abort();
      await Promise.all(running.values());
    },
  };
}

/** Those that stand in a list so many times. */
function crowded(ids: readonly string[], max: number): string[] {
  return [...new Set(ids)].filter((id) => ids.filter((other) => other === id).length >= max);
}
