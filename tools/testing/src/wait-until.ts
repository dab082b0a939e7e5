import { setTimeout as pause } from "node:timers/promises";
import { pollIntervalMs, waitTimeoutMs } from "./limits.js";

/**
 * Looks until `condition` returns something other than false, null or undefined, and returns that. A condition that
 * throws counts as not yet fulfilled. Throws after `timeoutMs` an error that names `what`, with the last failure as
 * cause.
 */
export async function waitUntil<Value>(
  condition: () => Value | Promise<Value>,
  { timeoutMs = waitTimeoutMs, what = "the condition" }: { timeoutMs?: number; what?: string } = {},
): Promise<Exclude<Value, false | null | undefined>> {
  const deadline = performance.now() + timeoutMs;
  let lastFailure: unknown;
  for (;;) {
    try {
      const value = await condition();
      if (isFulfilled(value)) return value;
      lastFailure = undefined;
    } catch (error) {
      lastFailure = error;
    }
    if (performance.now() >= deadline) {
      throw new Error(`Waited ${timeoutMs} ms in vain for ${what}.`, { cause: lastFailure });
    }
    await pause(pollIntervalMs);
  }
}

function isFulfilled<Value>(value: Value): value is Exclude<Value, false | null | undefined> {
  return value !== false && value !== null && value !== undefined;
}
