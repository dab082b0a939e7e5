import { buildSliceMs } from "./limits.js";
import { buildWordMatcher, type WordMatcher } from "./rules/word-filter.js";

interface Build {
  /** Bits of the number of characters: builds of one class take turns by age. */
  readonly sizeClass: number;
  readonly steps: Generator<void, WordMatcher, void>;
  readonly settle: { readonly resolve: (matcher: WordMatcher) => void; readonly reject: (error: unknown) => void };
}

/**
 * Builds matchers beside other work, for no more than half of the time. A shorter list goes first, also before one that is
 * half done: a server with a long list never holds up the others. Of each class of sizes only the oldest is under way,
 * so the unfinished ones together take no more than twice the memory of the largest.
 */
export class SlicedBuilds {
  readonly #builds: Build[] = [];
  #timer: NodeJS.Timeout | undefined;

  build(words: readonly string[]): Promise<WordMatcher> {
    const characters = words.reduce((sum, word) => sum + word.length, 0);
    return new Promise((resolve, reject) => {
      this.#builds.push({
        sizeClass: 32 - Math.clz32(characters),
        steps: buildWordMatcher(words),
        settle: { resolve, reject },
      });
      if (this.#timer === undefined) this.#slice();
    });
  }

  #slice(): void {
    this.#timer = undefined;
    const endsAt = performance.now() + buildSliceMs;
    while (performance.now() < endsAt) {
      const build = this.#smallest();
      if (build === undefined) return;
      try {
        const step = build.steps.next();
        if (!step.done) continue;
        build.settle.resolve(step.value);
      } catch (error) {
        build.settle.reject(error);
      }
      this.#builds.splice(this.#builds.indexOf(build), 1);
    }
    this.#timer = setTimeout(() => this.#slice(), buildSliceMs);
  }

  #smallest(): Build | undefined {
    let smallest = this.#builds[0];
    for (const build of this.#builds) {
      if (smallest !== undefined && build.sizeClass < smallest.sizeClass) smallest = build;
    }
    return smallest;
  }
}
