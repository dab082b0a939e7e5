import { defineConfig } from "vitest/config";
import { longProjects, longTests } from "./tools/testing/src/long-tests.js";
import { runOptions } from "./tools/testing/src/run-options.js";
import { nodeProject } from "./tools/testing/src/test-project.js";

// `npm run test:long`: one group, so that no worker waits for the last file of a project.
export default defineConfig({
  test: {
    ...runOptions,
    projects: longProjects.flatMap((name) => {
      const include = longTests.filter(({ project }) => project === name).map(({ file }) => file);
      return include.length === 0 ? [] : [nodeProject(name, { include, order: 1 })];
    }),
  },
});
