import type { Logger } from "./logger.js";
import { within } from "./within.js";

/** Resolves when the dependency answers, else rejects; should end by itself after `timeoutMs`. */
export type Check = (timeoutMs: number) => Promise<unknown>;

/** The outcome of one check. The error is one of two generic words, because health answers are public. */
export type CheckResult =
  | { ok: true; latencyMs: number }
  | { ok: false; error: "unavailable" | "timeout"; latencyMs: number };

/** The body of `GET /health/ready` (docs/protocol/operators.md#15). */
export interface Readiness {
  ready: boolean;
  checks: Record<string, { ok: boolean; error?: string }>;
}

/** The dependency without which no request can be answered. */
const vitalDependency = "database";
const timedOut = Symbol("timed out");

/** Runs one check and waits at most `timeoutMs` for it, however long the check itself takes. Never rejects. */
export async function runCheck(
  check: Check,
  timeoutMs: number,
  onError?: (error: unknown) => void,
): Promise<CheckResult> {
  const startedAt = performance.now();
  const latencyMs = () => Math.round(performance.now() - startedAt);
  try {
    const outcome = await within(check(timeoutMs), timeoutMs, () => timedOut);
    if (outcome !== timedOut) return { ok: true, latencyMs: latencyMs() };
    onError?.(new Error(`No answer within ${timeoutMs} ms`));
    return { ok: false, error: "timeout", latencyMs: latencyMs() };
  } catch (error) {
    onError?.(error);
    return { ok: false, error: "unavailable", latencyMs: latencyMs() };
  }
}

/**
 * Liveness, readiness and draining of a process with the given dependencies, under their names in the answer (`database`, `redis`, `nats`).
 * With a logger, the first failed check of an outage is logged with its cause, and the first successful one after it.
 */
export type Health = ReturnType<typeof createHealth>;

export function createHealth(options: { checks: Record<string, Check>; timeoutMs: number; logger?: Logger }) {
  const { checks, timeoutMs, logger } = options;
  const failing = new Set<string>();
  let draining = false;
  const running = new Map<string, Promise<CheckResult>>();

  async function runNamed(name: string, check: Check): Promise<CheckResult> {
    const result = await runCheck(check, timeoutMs, (err) => {
      if (!failing.has(name)) logger?.warn({ err, dependency: name }, "dependency is not reachable");
    });
    if (!result.ok) failing.add(name);
    else if (failing.delete(name)) logger?.info({ dependency: name }, "dependency is reachable again");
    return result;
  }

  /** Probes are public and not rate-limited; with shared runs, their number does not increase the number of checks. */
  function runShared(name: string, check: Check): Promise<CheckResult> {
    const run = running.get(name) ?? runNamed(name, check).finally(() => running.delete(name));
    running.set(name, run);
    return run;
  }

  return {
    /** The body of `GET /health/live`; checks no dependency. */
    live: (): { alive: true } => ({ alive: true }),
    /** Runs all checks at once, each within the time limit. Concurrent callers share one run of each. */
    async readiness(): Promise<Readiness> {
      const entries = await Promise.all(
        Object.entries(checks).map(async ([name, check]) => {
          const result = await runShared(name, check);
          return [name, result.ok ? { ok: true } : { ok: false, error: result.error }] as const;
        }),
      );
      return { ready: !draining && entries.every(([, result]) => result.ok), checks: Object.fromEntries(entries) };
    },
    /**
     * Whether load balancers should send requests to this process: it is not draining and its database answers. An outage
     * of another dependency fails only a part of the requests, and affects all processes alike: if each of them left the
     * balancer, no request would be served at all.
     */
    async serving(): Promise<boolean> {
      const check = checks[vitalDependency];
      return !draining && (check === undefined || (await runShared(vitalDependency, check)).ok);
    },
    /** From now on `ready` is false, so that load balancers send nothing new. */
    beginDraining(): void {
      draining = true;
    },
  };
}
