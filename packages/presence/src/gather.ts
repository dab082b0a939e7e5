/**
 * Turns a function for many items into one for a single item: items that come while calls are under way wait and go
 * together in the next call. Alone, an item goes at once.
 *
 * @param options.run gets 1 to `batchMax` items and returns a result for each, in order; its rejection goes to all
 */
export function createGatherer<Item, Result>(options: {
  run: (items: readonly Item[]) => Promise<readonly Result[]>;
  batchMax: number;
  batchesAtOnceMax: number;
}): (item: Item) => Promise<Result> {
  const { run, batchMax, batchesAtOnceMax } = options;
  let waiting: { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }[] = [];
  let underWay = 0;

  const start = async () => {
    const batch = waiting.slice(0, batchMax);
    waiting = waiting.slice(batchMax);
    underWay += 1;
    try {
      const results = await run(batch.map(({ item }) => item));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index];
        if (result === undefined) reject(new Error("a batch returned too few results"));
        else resolve(result);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      underWay -= 1;
      if (waiting.length > 0) void start();
    }
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (underWay < batchesAtOnceMax) void start();
    });
}
