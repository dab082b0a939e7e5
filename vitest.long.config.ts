import { defineConfig } from "vitest/config";
import { filesOfProject, longProjects, randomTests } from "./tools/testing/src/long-tests.js";
import { runOptions } from "./tools/testing/src/run-options.js";
import { freshSeed } from "./tools/testing/src/seed.js";
import { nodeProject } from "./tools/testing/src/test-project.js";

const seed = freshSeed();

// `npm run test:long`: one group, so that no worker waits for the last file of a project.
export default defineConfig({
  test: {
    ...runOptions,
    projects: longProjects.flatMap((name) => {
      const include = [...filesOfProject(name), ...(name === "models" ? randomTests(import.meta.dirname) : [])];
      return include.length === 0 ? [] : [nodeProject(name, { include, order: 1, env: { PARLEY_SEED: seed } })];
    }),
  },
});
