import { ParleyError } from "./error.js";
import type { EventContext, GatewayEvent, GatewayEvents } from "./gateway-options.js";
import type { Ready } from "./generated/index.js";
import type { Listeners } from "./listeners.js";

type GatewayListeners = Pick<Listeners<GatewayEvents, EventContext, GatewayEvent>, "on">;

/** Which event a program waits for, and how long. */
export interface WaitOptions<Payload> {
  /** Whether an event counts; without it every event of the name does. An error that it throws ends the wait. */
  readonly filter?: (payload: Payload, context: EventContext) => boolean;
  /** Longest wait in milliseconds; without it there is no limit. */
  readonly timeoutMs?: number;
  /** Ends the wait; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** When `collect` has enough: after `max` events, after `timeoutMs`, or whatever is first. */
export type CollectOptions<Payload> = WaitOptions<Payload> &
  (
    | {
        /** Most events. */
        readonly max: number;
      }
    | {
        /** How long events are collected, in milliseconds. */
        readonly timeoutMs: number;
        /** Most events; without it there is no limit. */
        readonly max?: number;
      }
  );

/** Collects events; its listeners are gone once the promise is settled. */
export function collectEvents<Name extends keyof GatewayEvents>(
  listeners: GatewayListeners,
  name: Name,
  { filter = () => true, max, timeoutMs, signal }: CollectOptions<GatewayEvents[Name]>,
): Promise<GatewayEvents[Name][]> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const found: GatewayEvents[Name][] = [];
    const settle = (outcome: () => void) => {
      for (const step of undo) step();
      outcome();
    };
    const onAbort = () => settle(() => reject(signal?.reason));
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => settle(() => resolve(found)), timeoutMs);
    signal?.addEventListener("abort", onAbort);
    const undo = [
      () => clearTimeout(timer),
      () => signal?.removeEventListener("abort", onAbort),
      listeners.on(name, (payload, context) => {
        try {
          if (!filter(payload, context)) return;
        } catch (error) {
          settle(() => reject(error));
          return;
        }
        if (found.push(payload) === max) settle(() => resolve(found));
      }),
      listeners.on("close", (error) => settle(() => reject(error ?? closed()))),
    ];
  });
}

/** The next event that fits. */
export async function nextEvent<Name extends keyof GatewayEvents>(
  listeners: GatewayListeners,
  name: Name,
  options: WaitOptions<GatewayEvents[Name]>,
): Promise<GatewayEvents[Name]> {
  const [found] = await collectEvents(listeners, name, { ...options, max: 1 });
  if (found !== undefined) return found;
  const text = `No ${name} came within ${options.timeoutMs} ms`;
  throw new ParleyError({ status: 0, code: "deadline_passed", text });
}

/**
 * Waits for the beginning of a connection: READY, or null when the server continues. When the gateway closes instead,
 * this calls `reason` with the cause, null for a call of `close`, and the promise rejects with its result.
 */
export function untilConnected(
  listeners: GatewayListeners,
  reason: (error: ParleyError | null) => unknown,
): Promise<Ready | null> {
  return new Promise((resolve, reject) => {
    const settle = (outcome: () => void) => {
      for (const step of undo) step();
      outcome();
    };
    const undo = [
      listeners.on("READY", (ready) => settle(() => resolve(ready))),
      listeners.on("RESUMED", () => settle(() => resolve(null))),
      listeners.on("close", (error) => settle(() => reject(reason(error)))),
    ];
  });
}

const closed = () => new ParleyError({ status: 0, code: "gateway_closed", text: "The gateway was closed" });
