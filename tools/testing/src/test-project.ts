import type { TestProjectInlineConfiguration } from "vitest/config";
import { pollIntervalMs, waitTimeoutMs } from "./limits.js";

/** Which files a project runs, as globs from the repository's root. */
export interface ProjectFiles {
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
  /** Projects of a lower order end before this one begins. */
  readonly order: number;
  /** Files that run at the same time. A worker that uses the shared stack has one of its own. */
  readonly workers?: number;
  /** Settings of its tests. */
  readonly env?: Record<string, string>;
}

/** The options of every project whose tests run in Node.js. */
export const nodeOptions = {
  setupFiles: [
    "tools/testing/src/fix-seeds.ts",
    "tools/testing/src/show-output-of-failed-tests.ts",
    "tools/testing/src/check-received-frames.ts",
    "tools/testing/src/check-declared-causes.ts",
    "tools/testing/src/end-connections.ts",
  ],
  // Test files run one after the other in the same processes: modules are loaded once, and many files share a stack.
  isolate: false,
  // Built packages are loaded by Node.js itself, as in production.
  server: { deps: { external: [/\/(packages|services|tools)\/[^/]+\/dist\//] } },
  // No promise is about time: a machine may be three times as slow as the one on which a test was written.
  testTimeout: 180_000,
  // Hooks start stacks: on a busy machine that takes a while.
  hookTimeout: 180_000,
  // As waitUntil does: the default of one second would be a limit for how slow a machine may be.
  expect: { poll: { timeout: waitTimeoutMs, interval: pollIntervalMs } },
};

/** A project of tests that run in Node.js. The global setup belongs to the run and not to a project: it starts servers once. */
export function nodeProject(
  name: string,
  { include, exclude = [], order, workers, env = {} }: ProjectFiles,
): TestProjectInlineConfiguration {
  return {
    test: {
      ...nodeOptions,
      name,
      include: [...include],
      exclude: [...exclude],
      sequence: { groupOrder: order },
      ...(workers === undefined ? {} : { maxWorkers: workers }),
      // Storage in S3 runs in the processes of the tests; its library would warn of the version of Node.js there.
      env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true", ...env },
    },
  };
}
