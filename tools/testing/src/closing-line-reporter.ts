import { writeFileSync } from "node:fs";
import type { Reporter, SerializedError, TestModule } from "vitest/node";
import { countCases } from "./run-counts.js";

/**
 * Ends the run with the line `N passed, N failed`. With the setting PARLEY_TEST_RESULT the counts go to that file
 * instead: `npm test` adds its other checks and writes the line.
 */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], strayErrors: readonly SerializedError[]): void {
    const { passed, failed } = countCases(modules, strayErrors);
    const file = process.env.PARLEY_TEST_RESULT;
    if (file !== undefined) writeFileSync(file, JSON.stringify({ passed, failed }));
    // At the exit: the default reporter writes its summary during this same event.
    else process.once("exit", () => process.stdout.write(`${passed} passed, ${failed} failed\n`));
  }
}
