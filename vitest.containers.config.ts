import { defineConfig } from "vitest/config";
import config from "./vitest.config.js";

// `npm run test:containers`: one file whose tests continue each other.
export default defineConfig({
  test: { ...config.test, include: ["tools/e2e/src/containers/*.test.ts"], exclude: [] },
});
