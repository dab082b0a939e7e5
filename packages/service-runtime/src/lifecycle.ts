import { leave } from "./leave.js";
import type { Logger } from "./logger.js";
import { within } from "./within.js";

/** Something that is opened once and closed when the process stops. */
export interface Closable {
  close(): Promise<unknown> | unknown;
}

interface Step {
  name: string;
  stop: () => Promise<unknown> | unknown;
  timeoutMs: number;
}

/**
 * The order in which a process starts and stops. States of the process:
 *
 * starting → running     `start` resolved
 * starting → stopping    `start` failed (exit 1), or a signal
 * running  → stopping    SIGTERM or SIGINT (exit 0 when every step was clean, else 1), or a fatal error (exit 1)
 * stopping → ended       all steps done or out of time, or the same signal a second time (exit 1 at once)
 */
export type Lifecycle = ReturnType<typeof createLifecycle>;

export function createLifecycle(options: { logger: Logger; stepTimeoutMs: number }) {
  const { logger, stepTimeoutMs } = options;
  const steps: Step[] = [];
  let stopping = false;
  let exitCode = 0;

  async function stopAndExit(): Promise<void> {
    if (stopping) return;
    stopping = true;
    // Pops, because a start that still runs may register further steps meanwhile.
    for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
      if (!(await runStep(step, logger))) exitCode = 1;
    }
    logger.info({ exitCode }, "stopped");
    process.exit(exitCode);
  }

  function fail(err: unknown, message: string): void {
    exitCode = 1;
    // While stopping, errors of work whose connections are being closed are expected.
    if (stopping) logger.error({ err }, message);
    else logger.fatal({ err }, message);
    void stopAndExit();
  }

  function watchProcess(): void {
    const seen = new Set<string>();
    const onSignal = (signal: NodeJS.Signals) => {
      // Two different signals may have one cause: Ctrl-C sends SIGINT to the whole process group, and a supervisor then
      // sends SIGTERM.
      if (seen.has(signal)) {
        logger.warn({ signal }, "second signal, exiting at once");
        process.exit(1);
      }
      seen.add(signal);
      logger.info({ signal }, "stopping");
      void stopAndExit();
    };
    process.on("SIGTERM", onSignal);
    process.on("SIGINT", onSignal);
    process.off("SIGTERM", leave);
    process.off("SIGINT", leave);
    process.on("uncaughtException", (error) => fail(error, "uncaught exception"));
    process.on("unhandledRejection", (reason) => fail(reason, "unhandled rejection"));
  }

  return {
    /**
     * Registers a resource to be closed on stopping, and returns it. Resources close in the reverse order of
     * registration.
     */
    own<T extends Closable>(name: string, resource: T): T {
      steps.push({ name, stop: () => resource.close(), timeoutMs: stepTimeoutMs });
      return resource;
    },
    /** Registers a step of stopping, in the same reverse order; `timeoutMs` replaces the usual limit of a step. */
    onStop(name: string, stop: Step["stop"], stepOptions: { timeoutMs?: number } = {}): void {
      steps.push({ name, stop, timeoutMs: stepOptions.timeoutMs ?? stepTimeoutMs });
    },
    /** Handles signals and fatal errors, and runs `start`. When `start` fails, stops and exits with 1. */
    async run(start: () => Promise<unknown> | unknown): Promise<void> {
      watchProcess();
      const startedAt = performance.now();
      try {
        await start();
      } catch (error) {
        // After a signal, the start fails because its resources are closed.
        if (stopping) logger.info({ err: error }, "start given up");
        else fail(error, `could not start: ${error instanceof Error ? error.message : String(error)}`);
        return;
      }
      if (!stopping) logger.info({ startMs: Math.round(performance.now() - startedAt) }, "started");
    },
  };
}

/** Runs one step within its limit; false when it failed or took too long. */
async function runStep(step: Step, logger: Logger): Promise<boolean> {
  try {
    const stopped = Promise.resolve(step.stop()).then(() => true);
    const finished = await within(stopped, step.timeoutMs, () => false);
    if (!finished) logger.error({ step: step.name, timeoutMs: step.timeoutMs }, "shutdown step took too long");
    return finished;
  } catch (err) {
    logger.error({ err, step: step.name }, "shutdown step failed");
    return false;
  }
}
