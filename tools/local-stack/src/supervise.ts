import { setTimeout as pause } from "node:timers/promises";
import { describeExit } from "./child-process.js";
import { restartDelayMaxMs, restartDelayMinMs, restartResetMs } from "./limits.js";
import { reasonOf } from "./refusal.js";
import type { ServerProcess } from "./server-process.js";

/**
 * Starts the process again whenever it ends by itself: first after 0.5 s, then after twice as long each time, at most
 * 15 s.
 *
 * @param report gets one sentence about every end and every return
 * @returns ends the supervision and the process
 */
export function supervise(process: ServerProcess, report: (sentence: string) => void): () => Promise<void> {
  const stopping = new AbortController();

  async function run(): Promise<void> {
    let delayMs = restartDelayMinMs;
    let startedAt = performance.now();
    for (;;) {
      const exit = await process.exited();
      if (stopping.signal.aborted) return;
      if (performance.now() - startedAt > restartResetMs) delayMs = restartDelayMinMs;
      report(
        `${process.name} ended unexpectedly with ${describeExit(exit)}; starting it again in ${delayMs / 1000} s.`,
      );
      await pause(delayMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      delayMs = Math.min(delayMs * 2, restartDelayMaxMs);
      startedAt = performance.now();
      const failure = await process.restart().then(
        () => null,
        (error: unknown) => reasonOf(error),
      );
      if (stopping.signal.aborted) {
        await process.stop();
        return;
      }
      report(failure ?? `${process.name} is back.`);
    }
  }

  const running = run();
  return async () => {
    stopping.abort();
    await process.stop();
    await running;
  };
}
