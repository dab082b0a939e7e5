import type { Hub } from "../hub/hub.js";
import { comemberSendsPerMs, comemberWindowMaxMs } from "../limits.js";
import { Slices } from "../scheduling/slices.js";
import type { Arrival } from "../stream/arrival.js";

/** Passes an event on to everybody here who shares a server with that user. */
export type PassToComembers = (userId: string, arrival: Arrival) => void;

/**
 * Everybody who comes or goes is told to all who share a server with them, so a storm of reconnects costs the square of
 * its size in writes. What is told to few is passed on at once. What was told to many opens a window, the longer the more
 * they were: what follows waits for its end, and every connection gets it in one write.
 */
export function createComemberEvents({ hub }: { hub: Pick<Hub, "server"> }): PassToComembers {
  const slices = new Slices();
  let waiting: (() => void)[] = [];
  let passedAt = Number.NEGATIVE_INFINITY;
  let events = 0;
  /** Frames of that time. */
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
    const windowMs = Math.min(Math.floor(sends / comemberSendsPerMs), comemberWindowMaxMs);
    const dueInMs = passedAt + windowMs - performance.now();
    if (dueInMs <= 0 && waiting.length === 0 && slices.isIdle) {
      passedAt = performance.now();
      sends = 0;
      pass(userId, arrival);
      return;
    }
    waiting.push(() => pass(userId, arrival));
    if (waiting.length === 1) setTimeout(passWaiting, dueInMs);
  };
}
