import { defineConfig } from "vitest/config";
import { runOptions } from "./tools/testing/src/run-options.js";
import { nodeOptions } from "./tools/testing/src/test-project.js";

// `npm run test:containers`: files with an installation each, whose tests continue each other.
export default defineConfig({
  test: {
    ...runOptions,
    ...nodeOptions,
    include: ["tools/e2e/src/containers/*.test.ts"],
    exclude: ["**/*.long.test.ts"],
    fileParallelism: false,
    maxWorkers: 1,
  },
});
