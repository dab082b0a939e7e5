import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadStackConfig } from "./config.js";
import { createConsole } from "./console.js";
import { openDataFolder } from "./data-folder.js";
import { parentCheckMs, sameInterruptMs, takeOverPatienceMs } from "./limits.js";
import { takeLock } from "./lock.js";
import { requireFreePorts } from "./ports.js";
import { Refusal } from "./refusal.js";
import { formatAddressTable, startLocalStack, wantedPorts } from "./stack.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
const console = createConsole();

try {
  await run();
  process.exit(0);
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

async function run(): Promise<void> {
  const config = loadStackConfig({ env: process.env, args: process.argv.slice(2), root });
  const interrupted = listenForInterrupts();
  const folder = await openDataFolder(config.dataDir);
  const lock = await takeLock(folder.lockFile, `http://localhost:${config.settings.EDGE_PORT}`);
  try {
    await requireFreePorts(wantedPorts({ config }), lock.takenOver ? takeOverPatienceMs : 0);
    console.say("Starting the servers and services …");
    const stack = await startLocalStack({ config, folder, console, abort: interrupted });
    console.follow();
    const notes = stack.notes.map((note) => `${note}\n`).join("");
    console.say(`\n${notes}${formatAddressTable(stack.rows)}\n`);
    await aborted(interrupted);
    console.say("Stopping …");
    await stack.stop();
    console.say("Stopped; the data is kept.");
  } catch (error) {
    if (!interrupted.aborted) throw error;
    console.say("Stopped during the start.");
  } finally {
    await lock.release();
  }
}

/** The first Ctrl-C or SIGTERM, or the end of npm, asks for an orderly end; a signal that comes later ends at once. */
function listenForInterrupts(): AbortSignal {
  const interrupt = new AbortController();
  let firstAt = 0;
  // npm ends at a signal without handing it on to the program of its shell.
  if (process.env.npm_lifecycle_event !== undefined) {
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) interrupt.abort();
    }, parentCheckMs).unref();
  }
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => {
      if (!interrupt.signal.aborted) {
        firstAt = performance.now();
        interrupt.abort();
      } else if (performance.now() - firstAt > sameInterruptMs) {
        // The guard stops the programs that still run.
        process.exit(1);
      }
    });
  }
  return interrupt.signal;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
