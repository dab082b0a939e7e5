import type { Hub } from "../hub/hub.js";
import { comemberSendsPerMs, comemberWindowMaxMs } from "../limits.js";
import { TimeSlicedTasks } from "../scheduling/time-sliced-tasks.js";
import type { InboundEvent } from "../stream/inbound-event.js";

/** Passes an event on to everybody here who shares a server with that user. */
export type PassToComembers = (userId: string, inbound: InboundEvent) => void;

/**
 * Everybody who comes or goes is told to all who share a server with them, so a storm of reconnects costs the square of
 * its size in writes. What is told to few is passed on at once. What was told to many opens a window, the longer the more
 * they were: what follows waits for its end, and every connection gets it in one write.
 */
export function createComemberEvents({ hub }: { hub: Pick<Hub, "server"> }): PassToComembers {
  const sendTasks = new TimeSlicedTasks();
  let waiting: (() => void)[] = [];
  let sentAt = Number.NEGATIVE_INFINITY;
  let events = 0;
  /** Frames of that time. */
  let sends = 0;

  /** Each co-member once, however many servers they share. */
  function pass(userId: string, inbound: InboundEvent): void {
    events += 1;
    for (const serverId of inbound.serverIds?.split(",") ?? []) {
      for (const user of hub.server(serverId)?.members ?? []) {
        if (user.id === userId || user.lastComemberEvent === events) continue;
        user.lastComemberEvent = events;
        sends += 1;
        user.sendLowPriority(inbound.frame, inbound.receivedAt);
      }
    }
  }

  function sendWaiting(): void {
    for (const task of waiting) sendTasks.add(task);
    waiting = [];
    sentAt = performance.now();
    sends = 0;
  }

  return (userId, inbound) => {
    const windowMs = Math.min(Math.floor(sends / comemberSendsPerMs), comemberWindowMaxMs);
    const dueInMs = sentAt + windowMs - performance.now();
    if (dueInMs <= 0 && waiting.length === 0 && sendTasks.isIdle) {
      sentAt = performance.now();
      sends = 0;
      pass(userId, inbound);
      return;
    }
    waiting.push(() => pass(userId, inbound));
    if (waiting.length === 1) setTimeout(sendWaiting, dueInMs);
  };
}
