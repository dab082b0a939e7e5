import LongestFirst from "./longest-first.js";

/** The setting that names the file that a whole run writes its prints to; without it they go to the terminal. */
const notes = process.env.PARLEY_TEST_NOTES;

/** Options that belong to a run and not to one of its projects. */
export const runOptions = {
  globalSetup: ["tools/testing/src/global-setup.ts"],
  sequence: { sequencer: LongestFirst },
  maxWorkers: 2,
  reporters: [
    notes === undefined ? "default" : "./tools/testing/src/project-reporter.ts",
    "./tools/testing/src/closing-line-reporter.ts",
  ],
};
