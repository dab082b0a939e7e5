import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Test files that take half a minute and more, longest first. */
const longest = [
  "tools/e2e/src/deploy/images.test.ts",
  "tools/bench/src/neighbours/neighbours.test.ts",
  "tools/e2e/src/api/exports.test.ts",
  "tools/e2e/src/api/webhook-dispatchers.test.ts",
  "tools/e2e/src/api/http-interaction-kills.test.ts",
  "tools/e2e/src/api/local-stack.test.ts",
  "tools/e2e/src/api/rolling-restart.test.ts",
  "tools/bench/src/gateway/quick.test.ts",
];

/** Begins with them, so that no process still works on one when the other has nothing left to do. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => longest.findIndex((name) => moduleId.endsWith(name));
    const sorted = await super.sort(files);
    const first = sorted.filter((file) => rank(file) !== -1).sort((a, b) => rank(a) - rank(b));
    return [...first, ...sorted.filter((file) => rank(file) === -1)];
  }
}
