// The tasks that test. Each takes the words of the command line and resolves with the exit code.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { loudly, Refusal, root, say, startBusyLoop } from "./processes.mjs";

const longConfig = ["--config", "vitest.long.config.ts"];
/** With it a whole run writes down how long each file took. */
const recordFlag = "--record-durations";

/** Lint, types, and the tests of `npm test`; with words only the tests whose path has one of them. */
export async function test(args) {
  if (args.some((arg) => !arg.startsWith("-"))) return await matching([], args);
  return await whole("test", args, [
    { command: ["biome", "check", "."], sentence: "The lint and format check failed; its findings are above." },
    { command: ["tsc", "-p", "tsconfig.json"], sentence: "The type check failed; its findings are above." },
    { command: ["tsc", "-p", "packages/web"], sentence: "The type check of the pages failed; its findings are above." },
  ]);
}

/** The tests that are too long, or too random, for every change. */
export async function testLong(args) {
  if (args.some((arg) => !arg.startsWith("-"))) return await matching(longConfig, args);
  return await whole("test-long", [...longConfig, ...args], []);
}

/** Runs test files many times beside two busy loops: `npm run test:soak -- [--times=20] <words of their paths>`. */
export async function soak(args) {
  const words = args.filter((arg) => !arg.startsWith("--times="));
  const times = Number(args.find((arg) => arg.startsWith("--times="))?.slice("--times=".length) ?? 20);
  if (words.length === 0 || !Number.isInteger(times) || times < 1) {
    throw new Refusal("Name the test files: npm run test:soak -- [--times=20] <words of their paths>");
  }
  const config = words.some((word) => word.includes(".long")) ? longConfig : [];
  const stops = [startBusyLoop(), startBusyLoop()];
  let passed = 0;
  try {
    for (let run = 1; run <= times; run += 1) {
      if ((await loudly(["vitest", "run", ...config, ...words])) === 0) passed += 1;
      say(`Run ${run} of ${times}: ${run - passed} runs failed so far.`);
    }
  } finally {
    for (const stop of stops) stop();
  }
  say(`${passed} passed, ${times - passed} failed`);
  return passed === times ? 0 : 1;
}

/** Builds the images and runs an installation on the engine; the last line counts passes and failures. */
export async function testContainers(args) {
  return await loudly(["vitest", "run", "--config", "vitest.containers.config.ts", ...args]);
}

/** The tests of docker-compose.yml need an engine, which `npm test` must do without: where none answers they are skipped. */
export function skipWithoutEngine() {
  const answers = (...args) => spawnSync("docker", args, { stdio: "ignore", timeout: 30_000 }).status === 0;
  if (answers("info") && answers("compose", "version")) return;
  say("Skipped: no container engine answers (docker info, docker compose version), so nothing was tested.");
  process.exit(0);
}

/** A few files, with their whole output; the last line counts passes and failures. */
async function matching(config, args) {
  return await loudly(["vitest", "run", ...config, ...args]);
}

/** Every check and every test runs, whatever fails before; the last line counts a failed check as one failure. */
async function whole(name, args, checks) {
  const startedAt = performance.now();
  const sentences = [];
  for (const { command, sentence } of checks) {
    if ((await loudly(command)) !== 0) sentences.push(sentence);
  }
  const notes = join("node_modules", ".parley-tests", `${name}.txt`);
  mkdirSync(join(root, dirname(notes)), { recursive: true });
  rmSync(join(root, notes), { force: true });
  const rest = args.filter((arg) => arg !== recordFlag);
  const record = rest.length < args.length ? { PARLEY_RECORD_DURATIONS: "1" } : {};
  const resultFile = join(tmpdir(), `parley-test-result-${process.pid}.json`);
  const env = { PARLEY_TEST_RESULT: resultFile, PARLEY_TEST_NOTES: notes, ...record };
  const code = await loudly(["vitest", "run", ...rest], env);
  const { passed, failed: failedCases } = readResult(resultFile);
  rmSync(resultFile, { force: true });
  if (code !== 0) say("The tests failed; the failures are above.");
  const failed = sentences.length + (code === 0 ? failedCases : Math.max(failedCases, 1));
  for (const sentence of sentences) say(sentence);
  say(`Took ${Math.round((performance.now() - startedAt) / 1_000)} s. What the tests printed: ${notes}`);
  say(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

function readResult(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return { passed: 0, failed: 1 };
  }
}
