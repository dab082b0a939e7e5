import { defineConfig } from "vitest/config";
import { pollIntervalMs, waitTimeoutMs } from "./tools/testing/src/limits.js";
import LongestFirst from "./tools/testing/src/longest-first.js";

export default defineConfig({
  test: {
    include: ["packages/*/src/**/*.test.ts", "services/*/src/**/*.test.ts", "tools/*/src/**/*.test.ts"],
    // npm run test:containers, which needs a container engine.
    exclude: ["tools/e2e/src/containers/**"],
    globalSetup: ["tools/testing/src/global-setup.ts"],
    setupFiles: [
      "tools/testing/src/show-output-of-failed-tests.ts",
      "tools/testing/src/check-received-frames.ts",
      "tools/testing/src/check-declared-causes.ts",
      "tools/testing/src/end-connections.ts",
    ],
    // Test files run one after the other in the same processes: what they load is loaded once, and many share a stack.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Built packages are loaded by Node.js itself, as in production.
    server: { deps: { external: [/\/(packages|services|tools)\/[^/]+\/dist\//] } },
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // As waitUntil does: the default of one second would be a limit for how slow a machine may be.
    expect: { poll: { timeout: waitTimeoutMs, interval: pollIntervalMs } },
    reporters: ["default", "./tools/testing/src/closing-line-reporter.ts"],
  },
});
