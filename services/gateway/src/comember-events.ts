import type { Arrival } from "./arrival.js";
import type { Hub } from "./hub.js";
import { comemberSendsPerMs, comemberWindowMaxMs, comemberWindowMs } from "./limits.js";
import { Slices } from "./slices.js";

/** Passes an event on to everybody here who shares a server with that user. */
export type PassToComembers = (userId: string, arrival: Arrival) => void;

/**
 * Everybody who comes or goes is told to all who share a server with them, so a storm of reconnects costs the square of
 * its size in writes. One event alone is passed on at once; those that follow within a window wait for its end, and every
 * connection gets them in one write. The more there was to send, the longer the next window.
 */
export function createComemberEvents({ hub }: { hub: Pick<Hub, "server"> }): PassToComembers {
  const slices = new Slices();
  let waiting: (() => void)[] = [];
  let passedAt = Number.NEGATIVE_INFINITY;
  let events = 0;
  /** Frames since then. */
  let sends = 0;

  /** Each co-member once, however many servers they share. */
  function pass(userId: string, arrival: Arrival): void {
    events += 1;
    for (const serverId of arrival.serverIds?.split(",") ?? []) {
      for (const user of hub.server(serverId)?.members ?? []) {
        if (user.id === userId || user.comemberEvent === events) continue;
        user.comemberEvent = events;
        sends += 1;
        user.sendLater(arrival.frame, arrival.at);
      }
    }
  }

  function passWaiting(): void {
    for (const task of waiting) slices.add(task);
    waiting = [];
    passedAt = performance.now();
    sends = 0;
  }

  return (userId, arrival) => {
    waiting.push(() => pass(userId, arrival));
    if (waiting.length > 1) return;
    const windowMs = Math.min(comemberWindowMs + sends / comemberSendsPerMs, comemberWindowMaxMs);
    const dueInMs = passedAt + windowMs - performance.now();
    if (dueInMs <= 0) passWaiting();
    else setTimeout(passWaiting, dueInMs);
  };
}
