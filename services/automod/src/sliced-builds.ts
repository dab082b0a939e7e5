import { buildSliceMs } from "./limits.js";

interface Build {
  /** Bits of the size: builds of one class take turns by age. */
  readonly sizeClass: number;
  /** Takes a step. @returns whether it was the last one */
  readonly step: () => boolean;
  readonly reject: (error: unknown) => void;
}

/**
 * Builds matchers, and does other long work, beside urgent work, for no more than half of the time. A shorter list goes
 * first, also before one that is half done: a server with a long list never holds up the others. Of each class of sizes
 * only the oldest is under way, so the unfinished ones together take no more than twice the memory of the largest.
 */
export class SlicedBuilds {
  readonly #builds: Build[] = [];
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param size compared with those of other builds: the characters of a list, or a number for work that takes as long
   */
  run<T>(size: number, steps: Generator<void, T, void>): Promise<T> {
    return new Promise((resolve, reject) => {
      const step = () => {
        const { done, value } = steps.next();
        if (done) resolve(value);
        return done === true;
      };
      this.#builds.push({ sizeClass: 32 - Math.clz32(size), step, reject });
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
        if (!build.step()) continue;
      } catch (error) {
        build.reject(error);
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
