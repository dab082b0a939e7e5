import { defineConfig } from "vitest/config";
import config from "./vitest.config.js";

// `npm run test:containers`: files with an installation each, whose tests continue each other.
export default defineConfig({
  test: {
    ...config.test,
    include: ["tools/e2e/src/containers/*.test.ts"],
    exclude: [],
    fileParallelism: false,
    maxWorkers: 1,
  },
});
