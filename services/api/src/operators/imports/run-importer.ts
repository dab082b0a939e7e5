import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../importer-main.js", import.meta.url));
/** Of its heap; buffers of streams, zlib and the program itself lie beside it. */
const heapMegabytesMax = 128;
/** How long a process that is asked to stop may finish its batch. */
const stopMs = 5_000;

/**
 * Runs the program that reads and writes one import, so that neither its time nor its memory is taken from requests. It ends with
 * this process, whichever way that ends.
 *
 * @returns how it ended: null for 0, else what an operator may want to know
 */
export async function runImporter(
  { id, lease }: { id: string; lease: string },
  signal: AbortSignal,
): Promise<string | null> {
  const child = fork(program, [id, lease], {
    execArgv: [`--max-old-space-size=${heapMegabytesMax}`],
    env: { ...process.env, DATABASE_POOL_MAX: "4", MALLOC_ARENA_MAX: "2" },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const stop = () => {
    child.kill("SIGTERM");
    setTimeout(() => child.kill("SIGKILL"), stopMs).unref();
  };
  signal.addEventListener("abort", stop);
  try {
    return await new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code, killedBy) => resolve(code === 0 ? null : (killedBy ?? `exit code ${code}`)));
    });
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
