import type { DeliveryJob } from "@parley/contracts";
import type { MinimalLogger } from "@parley/service-runtime";
import type { Messaging } from "./connect.js";
import { publishDelivery, waitingDeliveries } from "./deliveries.js";
import { createDropWarnings } from "./drop-warnings.js";
import {
  deliveryQueueMax,
  queueCountAgeMs,
  queueCountPauseFactor,
  serverDeliveriesMax,
  webhookDeliveriesMax,
} from "./limits.js";

/** The server that a job belongs to, with all of its webhooks. */
export interface JobServer {
  readonly id: string;
  readonly webhookIds: readonly string[];
}

/**
 * Enqueueing to the work queue within the shares of docs/protocol/limits.md#16.3.
 *
 * The share of one webhook is a limit of the stream, which is exact over all processes and restarts.
 *
 * The share of one server spans several subjects, for which the stream has no limit. So the jobs waiting per webhook
 * are counted, at most once in {@link queueCountAgeMs}, and the jobs that this process has queued since are added. Jobs
 * that other processes queued within that time are missing: with several processes the share can be exceeded by that
 * many, and by no more than the limits of its webhooks allow.
 *
 * When many servers fill their shares, the queue would be full all the same. So the share shrinks with the square of
 * the free part of the queue as soon as less than a third is free: the fewer slots are left, the fewer jobs a server
 * may have to get one of them, and a server without waiting jobs always gets one.
 */
export type DeliveryQueue = ReturnType<typeof createDeliveryQueue>;

export function createDeliveryQueue({ messaging, logger }: { messaging: Messaging; logger: MinimalLogger }) {
  let counted: ReadonlyMap<string, number> = new Map();
  let countedTotal = 0;
  let countAgainAt = Number.NEGATIVE_INFINITY;
  let counting: Promise<void> | null = null;
  /** Published, and not acknowledged yet. */
  const publishing = new JobTally();
  /** Stored since the latest count began, and between the latest two while the latest has no answer yet. */
  let storedSince = new JobTally();
  let storedBefore = new JobTally();

  const count = async () => {
    const askedAt = performance.now();
    storedBefore = storedSince;
    storedSince = new JobTally();
    try {
      counted = await waitingDeliveries(messaging);
      countedTotal = sum(counted.values());
      const tookMs = performance.now() - askedAt;
      countAgainAt = askedAt + Math.max(queueCountAgeMs, tookMs * queueCountPauseFactor);
    } catch (error) {
      storedSince.addAll(storedBefore);
      throw error;
    } finally {
      storedBefore = new JobTally();
      counting = null;
    }
  };

  const countIfOld = async () => {
    if (performance.now() <= countAgainAt) return;
    counting ??= count();
    await counting;
  };

  const serverRoom = ({ id, webhookIds }: JobServer) => {
    const tallies = [publishing, storedSince, storedBefore];
    const free = deliveryQueueMax - countedTotal - sum(tallies.map(({ total }) => total));
    const waiting =
      sum(webhookIds.map((webhookId) => counted.get(webhookId) ?? 0)) + sum(tallies.map((jobs) => jobs.of(id)));
    return Math.min(serverDeliveriesMax, Math.max(1, Math.floor(free ** 2 / deliveryQueueMax))) - waiting;
  };

  const publish = async (job: DeliveryJob, serverId: string, id: string | undefined) => {
    publishing.add(serverId, 1);
    try {
      const outcome = await publishDelivery(messaging, job, id);
      if (outcome === "queued") storedSince.add(serverId, 1);
      return outcome;
    } finally {
      publishing.add(serverId, -1);
    }
  };

  return {
    /**
     * Puts a job into the queue, unless the queue, the webhook's share or the server's share of it is full. The caller
     * decides what to do with it then.
     *
     * @param id the id by which the queue recognises a second copy, for two minutes; the delivery's id by default
     * @throws NatsError when the queue does not answer in time; the job may be queued all the same
     */
    async enqueue(job: DeliveryJob, server: JobServer, id?: string): Promise<"queued" | "full"> {
      await countIfOld();
      return serverRoom(server) > 0 ? publish(job, server.id, id) : "full";
    },
    /**
     * How many more jobs of the webhook `enqueue` would accept now, by the latest count.
     *
     * @throws NatsError when the queue does not answer in time
     */
    async room(webhookId: string, server: JobServer): Promise<number> {
      await countIfOld();
      return Math.max(0, Math.min(webhookDeliveriesMax - (counted.get(webhookId) ?? 0), serverRoom(server)));
    },
    /** Logs that a job of the webhook was dropped: one warning per webhook and minute, however many are dropped. */
    warnDropped: createDropWarnings(logger),
  };
}

/** Numbers of jobs by server. */
class JobTally {
  readonly #jobs = new Map<string, number>();
  total = 0;

  of(serverId: string): number {
    return this.#jobs.get(serverId) ?? 0;
  }

  add(serverId: string, change: number): void {
    const changed = this.of(serverId) + change;
    if (changed === 0) this.#jobs.delete(serverId);
    else this.#jobs.set(serverId, changed);
    this.total += change;
  }

  addAll(other: JobTally): void {
    for (const [serverId, jobs] of other.#jobs) this.add(serverId, jobs);
  }
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
