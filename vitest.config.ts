import { defineConfig } from "vitest/config";
import { runOptions } from "./tools/testing/src/run-options.js";
import { filesWithOtherStacks } from "./tools/testing/src/stack-files.js";
import { nodeProject } from "./tools/testing/src/test-project.js";

// `npm run test:long` runs these.
const long = "**/*.long.test.ts";

const apiFolders = ["api", "client", "deploy"].map((folder) => `tools/e2e/src/${folder}`);
const withOtherStacks = filesWithOtherStacks(import.meta.dirname, apiFolders);

// `npm test`: the projects run in this order, the cheapest first. On a slow machine, where the processors are never idle, more
// workers of `api` and `journeys` only add stacks: 229 files took 1,233 s with two workers and 1,819 s with four.
export default defineConfig({
  test: {
    ...runOptions,
    projects: [
      nodeProject("unit", {
        include: ["packages/*/src/**/*.test.ts", "services/*/src/**/*.test.ts", "tools/*/src/**/*.test.ts"],
        exclude: ["tools/e2e/**", long],
        order: 1,
        workers: 3,
      }),
      nodeProject("api", {
        include: apiFolders.map((folder) => `${folder}/**/*.test.ts`),
        exclude: [long, ...withOtherStacks],
        order: 2,
        workers: 2,
      }),
      nodeProject("stacks", { include: withOtherStacks, order: 3, workers: 3 }),
      // `page`, order 4. Beside the journeys it would save a minute, and its pages would miss their time on a slow machine.
      "packages/web/vitest.page.config.ts",
      nodeProject("journeys", { include: ["tools/e2e/src/web/**/*.test.ts"], exclude: [long], order: 5, workers: 2 }),
      nodeProject("docs", { include: ["tools/e2e/src/docs/**/*.test.ts"], exclude: [long], order: 6 }),
    ],
  },
});
