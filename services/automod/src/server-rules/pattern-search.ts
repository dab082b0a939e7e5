import type { PatternSet } from "@parley/rule-patterns";
import { searchAtOnceMs, searchesWaitingMax, searchMaxMs } from "../limits.js";
import type { SlicedBuilds } from "../sliced-builds.js";

/** Finds the patterns of a server in a text; gives their indexes. */
export type PatternSearch = (serverId: string, patterns: PatternSet, text: string) => Promise<readonly number[]>;

/** Lists that are built go first, as messages of several servers may wait for them. */
const behindAllBuilds = 2 ** 30;

/**
 * Nearly every text is searched within microseconds, at once. One that takes longer goes on in short slices beside the
 * other messages, those of its server one after the other: hostile patterns and texts hold up their own server. A text
 * that takes far too long, or comes while too many of its server wait, matches no pattern.
 */
export function createPatternSearch({ builds }: { builds: SlicedBuilds }): PatternSearch {
  /** By server, the search that is under way, and how many there are with it. */
  const slow = new Map<string, { count: number; last: Promise<unknown> }>();

  const goOn = (steps: Generator<void, readonly number[], void>) =>
    builds.run(behindAllBuilds, withTimeLimit(steps, searchMaxMs));

  return async (serverId, patterns, text) => {
    const steps = patterns.search(text);
    const running = slow.get(serverId);
    if (running === undefined) {
      const until = performance.now() + searchAtOnceMs;
      do {
        const step = steps.next();
        if (step.done) return step.value;
      } while (performance.now() < until);
    }
    const turns = running ?? { count: 0, last: Promise.resolve() };
    if (turns.count >= searchesWaitingMax) return [];
    slow.set(serverId, turns);
    turns.count += 1;
    const search = turns.last.then(() => goOn(steps));
    turns.last = search.catch(() => undefined);
    try {
      return await search;
    } finally {
      turns.count -= 1;
      if (turns.count === 0) slow.delete(serverId);
    }
  };
}

/** Counts the time of the steps alone, whatever else the process does in between. */
function* withTimeLimit(
  steps: Generator<void, readonly number[], void>,
  limitMs: number,
): Generator<void, readonly number[], void> {
  for (let spentMs = 0; spentMs < limitMs; ) {
    const startedAt = performance.now();
    const step = steps.next();
    spentMs += performance.now() - startedAt;
    if (step.done) return step.value;
    yield;
  }
  return [];
}
