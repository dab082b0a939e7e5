import { writeFileSync } from "node:fs";
import type { Reporter, SerializedError, TestModule } from "vitest/node";

/**
 * Ends the run with the line `N passed, N failed`; files that do not load and stray errors count as failures. With the
 * setting PARLEY_TEST_RESULT the counts go to that file instead: `npm test` adds its other checks and writes the line.
 */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    let passed = 0;
    let failed = unhandledErrors.length;
    for (const module of modules) {
      failed += module.errors().length;
      for (const suite of module.children.allSuites()) failed += suite.errors().length;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") passed += 1;
        if (state === "failed") failed += 1;
      }
    }
    const file = process.env.PARLEY_TEST_RESULT;
    if (file !== undefined) writeFileSync(file, JSON.stringify({ passed, failed }));
    // At the exit: the default reporter writes its summary during this same event.
    else process.once("exit", () => process.stdout.write(`${passed} passed, ${failed} failed\n`));
  }
}
