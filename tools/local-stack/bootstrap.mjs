// The scripts of package.json that start servers run this. It needs nothing but Node.js beforehand, so this file has no
// dependencies. It installs and builds changed packages, and then hands over.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { binary, quietly, Refusal, root, say, stopEarly } from "./bootstrap/processes.mjs";
import { skipWithoutEngine, soak, test, testContainers, testLong } from "./bootstrap/tests.mjs";

const stampFile = join(root, "node_modules", ".parley-install.json");

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stopEarly);

/** The tasks that test, each with the function that runs it. */
const tests = { test, "test-long": testLong, soak, "test-containers": testContainers };

const [task = "start", ...args] = process.argv.slice(2);
try {
  requireNodeVersion();
  if (task === "test-containers") skipWithoutEngine();
  const startedAt = performance.now();
  await prepare();
  if (task === "start") await handOver("tools/local-stack/dist/main.js");
  else if (task === "bench") await handOver("tools/bench/dist/main.js");
  else if (Object.hasOwn(tests, task)) {
    say(`Installed and built in ${Math.round((performance.now() - startedAt) / 1_000)} s.`);
    process.exit(await tests[task](args));
  } else if (task !== "build")
    throw new Refusal(
      `There is no task ${JSON.stringify(task)}: use start, build, bench, ${Object.keys(tests).join(", ")}.`,
    );
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`${error.message}\n`);
  if (Object.hasOwn(tests, task)) say("0 passed, 1 failed");
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
    // Never asks, installs the packages of development whatever NODE_ENV says, and takes exactly the versions of the
    // lockfile.
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

/** The rest of this process is the built program's. */
async function handOver(file) {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.off(signal, stopEarly);
  process.argv = [process.argv[0], join(root, file), ...args];
  await import(pathToFileURL(join(root, file)).href);
}
