import type { SerializedError, TestModule } from "vitest/node";

/** How many cases passed and failed; a file that does not load, a failed suite and a stray error count as failures. */
export interface RunCounts {
  passed: number;
  failed: number;
}

/** Counts the cases of files that have ended. */
export function countCases(modules: readonly TestModule[], strayErrors: readonly SerializedError[] = []): RunCounts {
  const counts = { passed: 0, failed: strayErrors.length };
  for (const module of modules) {
    counts.failed += module.errors().length;
    for (const suite of module.children.allSuites()) counts.failed += suite.errors().length;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === "passed") counts.passed += 1;
      if (state === "failed") counts.failed += 1;
    }
  }
  return counts;
}
