import { relative, sep } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { readDurations } from "./durations.js";

/** Orders a group by recorded time, so that no process still works on a long file when the other has nothing left to do. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const durations = readDurations();
    const group = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    const seconds = ({ project, moduleId }: TestSpecification) =>
      durations[relative(project.config.root, moduleId).split(sep).join("/")] ?? 0;
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => group(a) - group(b) || seconds(b) - seconds(a));
  }
}
