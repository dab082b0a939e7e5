import { createWriteStream } from "node:fs";
import type { UserConsoleLog } from "vitest";
import type { Reporter, SerializedError, TestModule, TestProject, TestSpecification, Vitest } from "vitest/node";
import { recordDurations } from "./durations.js";
import { countCases } from "./run-counts.js";

/** What has been seen of a project. */
interface Progress {
  left: number;
  readonly modules: TestModule[];
  startedAt: number | undefined;
}

/**
 * For whole runs: every failure at once and whole, one line for each project that has ended, and nothing else. What tests
 * print goes to the file that the setting PARLEY_TEST_NOTES names.
 */
export default class ProjectReporter implements Reporter {
  #vitest: Vitest | undefined;
  readonly #projects = new Map<string, Progress>();

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
    const notes = process.env.PARLEY_TEST_NOTES;
    // Worker processes write there; what this reporter writes does not go through it.
    if (notes !== undefined) vitest.logger.outputStream = createWriteStream(notes, { flags: "a" });
  }

  onTestRunStart(files: readonly TestSpecification[]): void {
    for (const { project } of files) this.#progress(project).left += 1;
  }

  onTestModuleStart({ project }: TestModule): void {
    this.#progress(project).startedAt ??= performance.now();
  }

  onTestModuleEnd(module: TestModule): void {
    this.#printFailures(module);
    const progress = this.#progress(module.project);
    progress.modules.push(module);
    progress.left -= 1;
    if (progress.left === 0) say(projectLine(module.project, progress));
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
    const progress = { left: 0, modules: [], startedAt: undefined };
    this.#projects.set(name, progress);
    return progress;
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

function projectLine({ name, config }: TestProject, { modules, startedAt = performance.now() }: Progress): string {
  const { passed, failed } = countCases(modules);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  return `${name.padEnd(9)} ${modules.length} files, ${passed} passed, ${failed} failed, ${seconds} s${seedOf(config.env)}`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** `PARLEY_SEED=<seed>` repeats a run with random numbers. */
function seedOf(env: Partial<Record<string, unknown>>): string {
  return env.PARLEY_SEED === undefined ? "" : `, PARLEY_SEED=${env.PARLEY_SEED}`;
}
