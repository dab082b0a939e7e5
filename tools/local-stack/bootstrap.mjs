// What `npm start`, `npm test`, `npm run test:containers` and `npm run bench` run: nothing but Node.js is needed beforehand, so this file has no
// dependencies. It installs and builds what has changed, and then hands over.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const stampFile = join(root, "node_modules", ".parley-install.json");
const running = new Set();

/** One sentence for the person at the terminal; ends the process. */
class Refusal extends Error {}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stopEarly);

const [task = "start", ...args] = process.argv.slice(2);
try {
  requireNodeVersion();
  if (task === "test-containers") skipWithoutEngine();
  await prepare();
  if (task === "start") await handOver("tools/local-stack/dist/main.js");
  else if (task === "bench") await handOver("tools/bench/dist/main.js");
  else if (task === "test") await test();
  else if (task === "test-containers") await testContainers();
  else throw new Refusal(`There is no task ${JSON.stringify(task)}: use start, test, test-containers or bench.`);
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`${error.message}\n`);
  if (task === "test") process.stdout.write("0 passed, 1 failed\n");
  process.exit(1);
}

/** Node.js 20.19 to 26, as package.json says. */
function requireNodeVersion() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19) || major > 26) {
    throw new Refusal(`Parley needs Node.js 20.19 to 26, and this is ${process.versions.node}.`);
  }
}

/** Installs when the lockfile or a package.json has changed, then builds; both are quick when nothing has. */
async function prepare() {
  const stamp = hashOfInputs();
  let installed = readStamp();
  if (installed.stamp !== stamp) {
    say("Installing packages …");
    const pnpm = await findPnpm();
    // Never asks, installs what development needs whatever NODE_ENV says, and takes exactly what the lockfile names.
    const install = ["install", "--frozen-lockfile", "--prod=false", "--prefer-offline"];
    await quietly(pnpm, install, "The packages could not be installed (is the npm registry reachable?).", {
      CI: "true",
    });
    installed = { stamp, pnpm };
    writeFileSync(stampFile, JSON.stringify(installed));
  }
  if (!existsSync(installed.pnpm)) {
    installed = { stamp, pnpm: await findPnpm() };
    writeFileSync(stampFile, JSON.stringify(installed));
  }
  // turbo calls pnpm by name, which nobody needs to have installed.
  process.env.PATH = [dirname(installed.pnpm), process.env.PATH].join(delimiter);
  if (!existsSync(join(root, "tools/local-stack/dist/main.js"))) say("Building …");
  await quietly(
    binary("turbo"),
    ["run", "build", "pack-client", "--output-logs=errors-only"],
    "The build failed; its output is above.",
    {
      TURBO_TELEMETRY_DISABLED: "1",
      TURBO_NO_UPDATE_NOTIFIER: "1",
      DO_NOT_TRACK: "1",
    },
  );
}

function hashOfInputs() {
  const manifests = ["packages", "services", "tools"].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => join(group, name, "package.json")),
  );
  const hash = createHash("sha256");
  for (const file of ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", ...manifests.sort()]) {
    if (!existsSync(join(root, file))) continue;
    hash.update(file).update(readFileSync(join(root, file)));
  }
  return hash.digest("hex");
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, "utf8"));
  } catch {
    return { stamp: "", pnpm: "" };
  }
}

/** The path of the pnpm that package.json names; npx downloads it once. */
async function findPnpm() {
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const output = await quietly(
    "npx",
    ["--yes", "--package", packageManager, "--call", "command -v pnpm"],
    `npx could not provide ${packageManager} (is the npm registry reachable?).`,
  );
  const path = output.split("\n").findLast((line) => line.trim().endsWith("pnpm"));
  if (path === undefined) throw new Refusal(`npx did not tell where ${packageManager} is.`);
  return path.trim();
}

function binary(name) {
  return join(root, "node_modules", ".bin", name);
}

/** The rest of this process is the built program's. */
async function handOver(file) {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.off(signal, stopEarly);
  process.argv = [process.argv[0], join(root, file), ...args];
  await import(pathToFileURL(join(root, file)).href);
}

/** The tests of docker-compose.yml need an engine, which `npm test` must do without: where none answers they are skipped. */
function skipWithoutEngine() {
  const answers = (...args) => spawnSync("docker", args, { stdio: "ignore", timeout: 30_000 }).status === 0;
  if (answers("info") && answers("compose", "version")) return;
  say("Skipped: no container engine answers (docker info, docker compose version), so nothing was tested.");
  process.exit(0);
}

/** Builds the images and runs an installation on the engine; the last line counts what passed and failed. */
async function testContainers() {
  process.exit(await loudly(["vitest", "run", "--config", "vitest.containers.config.ts", ...args]));
}

/** Lint, types, tests: all of them run, whatever fails before; the last line counts a failed check as one failure. */
async function test() {
  const checks = [
    { command: ["biome", "check", "."], sentence: "The lint and format check failed; its findings are above." },
    { command: ["tsc", "-p", "tsconfig.json"], sentence: "The type check failed; its findings are above." },
  ];
  const sentences = [];
  for (const { command, sentence } of checks) {
    if ((await loudly(command)) !== 0) sentences.push(sentence);
  }
  const resultFile = join(tmpdir(), `parley-test-result-${process.pid}.json`);
  const code = await loudly(["vitest", "run", ...args], { PARLEY_TEST_RESULT: resultFile });
  let { passed, failed } = readResult(resultFile);
  rmSync(resultFile, { force: true });
  if (code !== 0) {
    sentences.push("The tests failed; the failures are above.");
    failed = Math.max(failed, 1);
  }
  failed += sentences.length - (code === 0 ? 0 : 1);
  for (const sentence of sentences) process.stderr.write(`${sentence}\n`);
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  process.exit(failed === 0 ? 0 : 1);
}

function readResult(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return { passed: 0, failed: 1 };
  }
}

/** Runs a program of node_modules with its output on ours; resolves with the exit code. */
function loudly([name, ...args], env = {}) {
  return new Promise((resolve) => {
    const child = spawn(binary(name), args, { cwd: root, stdio: "inherit", env: { ...process.env, ...env } });
    running.add(child);
    child.once("error", () => resolve(1));
    child.once("exit", (code) => {
      running.delete(child);
      resolve(code ?? 1);
    });
  });
}

/** Runs a command and returns what it wrote; shows that only when it fails, followed by the sentence. */
function quietly(command, args, sentence, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...env },
    });
    running.add(child);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    }
    child.once("error", (error) => reject(new Refusal(`${command} could not be run: ${error.message}.`)));
    child.once("close", (code) => {
      running.delete(child);
      if (code === 0) {
        resolve(output);
        return;
      }
      process.stderr.write(`${output.trimEnd()}\n`);
      reject(new Refusal(sentence));
    });
  });
}

function stopEarly(signal) {
  for (const child of running) child.kill(signal);
  process.exit(130);
}

function say(sentence) {
  process.stdout.write(`${sentence}\n`);
}
