import { createWriteStream } from "node:fs";
import type { UserConsoleLog } from "vitest";
import type { Reporter, SerializedError, TestModule, TestProject, TestSpecification, Vitest } from "vitest/node";
import { recordDurations } from "./durations.js";
import { measureProcessorTime } from "./processor-time.js";
import { countCases } from "./run-counts.js";

/** The progress of a project. */
interface Progress {
  left: number;
  readonly modules: TestModule[];
  /** Give the seconds since its first file began: of the clock, and of the processors. */
  watch: { wall: () => number; processor: () => number | null } | undefined;
}

/**
 * For whole runs: every failure at once and whole, one line for each project that has ended, and nothing else. The
 * output of tests goes to the file that the setting PARLEY_TEST_NOTES names.
 */
export default class ProjectReporter implements Reporter {
  #vitest: Vitest | undefined;
  readonly #projects = new Map<string, Progress>();

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
    const notes = process.env.PARLEY_TEST_NOTES;
    // Worker processes write there; the output of this reporter does not go through it.
    if (notes !== undefined) vitest.logger.outputStream = createWriteStream(notes, { flags: "a" });
  }

  onTestRunStart(files: readonly TestSpecification[]): void {
    for (const { project } of files) this.#progress(project).left += 1;
  }

  onTestModuleStart({ project }: TestModule): void {
    this.#progress(project).watch ??= { wall: measureWallTime(), processor: measureProcessorTime() };
  }

  onTestModuleEnd(module: TestModule): void {
    this.#printFailures(module);
    const progress = this.#progress(module.project);
    progress.modules.push(module);
    progress.left -= 1;
    if (progress.left === 0) say(projectLine(module.project, progress, this.#runsAlone(module.project)));
  }

  onUserConsoleLog({ content }: UserConsoleLog): void {
    this.#vitest?.logger.outputStream.write(content);
  }

  onTestRunEnd(modules: readonly TestModule[], strayErrors: readonly SerializedError[]): void {
    if (process.env.PARLEY_RECORD_DURATIONS !== undefined) recordDurations(modules);
    if (strayErrors.length > 0) this.#vitest?.logger.printUnhandledErrors(strayErrors);
  }

  #progress({ name }: TestProject): Progress {
    const known = this.#projects.get(name);
    if (known !== undefined) return known;
    const progress = { left: 0, modules: [], watch: undefined };
    this.#projects.set(name, progress);
    return progress;
  }

  /** Whether no other project runs at the same time. */
  #runsAlone(project: TestProject): boolean {
    const order = (each: TestProject) => each.config.sequence.groupOrder;
    return this.#vitest?.projects.filter((each) => order(each) === order(project)).length === 1;
  }

  #printFailures(module: TestModule): void {
    const { project } = module;
    const print = (title: string, errors: readonly SerializedError[]) => {
      if (errors.length > 0) this.#vitest?.logger.error(`\nFAILED [${project.name}] ${title}`);
      for (const error of errors) this.#vitest?.logger.printError(error, { project });
    };
    print(module.relativeModuleId, module.errors());
    for (const suite of module.children.allSuites())
      print(`${module.relativeModuleId} > ${suite.fullName}`, suite.errors());
    for (const test of module.children.allTests()) {
      const { state, errors } = test.result();
      if (state === "failed") print(`${module.relativeModuleId} > ${test.fullName}`, errors);
    }
  }
}

function projectLine({ name, config }: TestProject, { modules, watch }: Progress, runsAlone: boolean): string {
  const { passed, failed } = countCases(modules);
  const processor = runsAlone ? watch?.processor() : null;
  // Projects of browsers have no environment, whatever their type says.
  const seed = config.env?.PARLEY_SEED;
  return [
    `${name.padEnd(9)} ${modules.length} files`,
    `${passed} passed`,
    `${failed} failed`,
    `${Math.round(watch?.wall() ?? 0)} s`,
    ...(typeof processor === "number" ? [`${Math.round(processor)} s of processors`] : []),
    // Repeats a run with random numbers.
    ...(seed === undefined ? [] : [`PARLEY_SEED=${seed}`]),
  ].join(", ");
}

function measureWallTime(): () => number {
  const startedAt = performance.now();
  return () => (performance.now() - startedAt) / 1_000;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
