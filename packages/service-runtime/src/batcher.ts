import { errorTexts, ServiceError } from "@parley/contracts";
import { batchWaitingMax } from "./limits.js";

interface Waiting<In, Out> {
  item: In;
  resolve: (out: Out) => void;
  reject: (error: unknown) => void;
}

/**
 * Batches items that arrive while earlier ones are in flight: under load one statement serves many items, and a single
 * item does not wait. The number of waiting items is bounded, as it would grow without limit while the work hangs.
 *
 * @param options.work gets at most `batchMax` items and returns one result for each, in their order
 * @param options.restFactor after a batch, its slot stays empty for this many times its duration; for work
 * whose cost does not depend on the number of items; 0 by default
 * @returns a function that adds an item. Its promise resolves with the item's result, and rejects when the batch fails,
 * or with a ServiceError `unavailable` when too many items wait
 */
export function createBatcher<In, Out>(options: {
  work: (items: readonly In[]) => Promise<readonly Out[]>;
  batchMax: number;
  inFlightMax: number;
  waitingMax?: number;
  restFactor?: number;
}): (item: In) => Promise<Out> {
  const { work, batchMax, inFlightMax, waitingMax = batchWaitingMax, restFactor = 0 } = options;
  const waiting: Waiting<In, Out>[] = [];
  let inFlight = 0;
  let scheduled = false;

  const runBatch = async (batch: readonly Waiting<In, Out>[]) => {
    try {
      const results = await work(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new Error("A batch returned another number of results than items");
      for (const [index, result] of results.entries()) batch[index]?.resolve(result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };

  const end = () => {
    inFlight -= 1;
    start();
  };

  const start = () => {
    scheduled = false;
    while (inFlight < inFlightMax && waiting.length > 0) {
      inFlight += 1;
      const startedAt = performance.now();
      void runBatch(waiting.splice(0, batchMax)).finally(() => {
        const restMs = (performance.now() - startedAt) * restFactor;
        if (restMs < 1) end();
        else setTimeout(end, restMs);
      });
    }
  };

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= waitingMax) {
        reject(new ServiceError("unavailable", errorTexts.unavailable));
        return;
      }
      waiting.push({ item, resolve, reject });
      // Items that are added in the same turn of the event loop share a batch.
      if (scheduled) return;
      scheduled = true;
      setImmediate(start);
    });
}
