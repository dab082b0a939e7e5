import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/** The projects of `npm run test:long`. */
export const longProjects = ["kills", "volume", "models", "deploy", "bench", "pictures", "lapses"] as const;

const LongTest = z.object({
  project: z.enum(longProjects),
  /** The path from the repository's root. */
  file: z.string().endsWith(".long.test.ts"),
  /** The test in `npm test` that guards the same promise: its file, and its name as in the source. */
  short: z.object({ file: z.string(), name: z.string() }),
});

/** A file of `npm run test:long` with one of the cases that guard the same in `npm test`. */
export type LongTest = z.output<typeof LongTest>;

/** The table of the long tests: tabs between the columns, one line for each short case. */
export const longTests: readonly LongTest[] = readFileSync(
  fileURLToPath(new URL("../long-tests.tsv", import.meta.url)),
  "utf8",
)
  .trimEnd()
  .split("\n")
  .slice(1)
  .map((line) => {
    const [project, file, shortFile, name] = line.split("\t");
    return LongTest.parse({ project, file, short: { file: shortFile, name } });
  });

/** The files of a project of `npm run test:long`. */
export function filesOfProject(project: LongTest["project"]): readonly string[] {
  return [...new Set(longTests.filter((test) => test.project === project).map(({ file }) => file))];
}

/** The tests of `npm test` with random numbers or rounds; `npm run test:long` runs them again with a new seed and ten times as many. */
export function randomTests(root: string): readonly string[] {
  const pattern = 'from "fast-check"|createRandom\\(|modelSteps\\(';
  const args = ["grep", "--untracked", "-lE", pattern, "--", "*.test.ts", ":!*.long.test.ts"];
  return execFileSync("git", args, { cwd: root, encoding: "utf8" }).trimEnd().split("\n");
}
