import type { ReceivedEvent } from "@parley/messaging";
import { encodeTextFrame } from "../connection/frames.js";
import type { Hub } from "../hub/hub.js";
import { comemberSendsPerMs, comemberWindowMaxMs } from "../limits.js";
import { TimeSlicedTasks } from "../scheduling/time-sliced-tasks.js";

/** Delivers an event to all local users who share a server with that user. */
export type PassToComembers = (userId: string, event: ReceivedEvent) => void;

/**
 * Each change of presence is sent to all members of the user's servers, so the writes of a reconnect storm grow with
 * the square of its size. An event is delivered at once unless the previous ones had many recipients: these open a
 * window whose length grows with the number of frames sent. Events within it are delivered at its end, in one write
 * per connection.
 */
export function createComemberEvents({ hub }: { hub: Pick<Hub, "server"> }): PassToComembers {
  const sendTasks = new TimeSlicedTasks();
  let waiting: (() => void)[] = [];
  let sentAt = Number.NEGATIVE_INFINITY;
  let events = 0;
  /** Frames sent since then. */
  let sends = 0;

  /** To each co-member once, however many servers they share. */
  function pass(userId: string, event: ReceivedEvent): void {
    events += 1;
    const frame = encodeTextFrame(event.body);
    for (const serverId of event.serverIds?.split(",") ?? []) {
      for (const user of hub.server(serverId)?.members ?? []) {
        if (user.id === userId || user.lastComemberEvent === events) continue;
        user.lastComemberEvent = events;
        sends += 1;
        for (const connection of user.connections) connection.sendLowPriority(frame, event.receivedAt);
      }
    }
  }

  function sendWaiting(): void {
    for (const task of waiting) sendTasks.add(task);
    waiting = [];
    sentAt = performance.now();
    sends = 0;
  }

  return (userId, event) => {
    const windowMs = Math.min(Math.floor(sends / comemberSendsPerMs), comemberWindowMaxMs);
    const dueInMs = sentAt + windowMs - performance.now();
    if (dueInMs <= 0 && waiting.length === 0 && sendTasks.isIdle) {
      sentAt = performance.now();
      sends = 0;
      pass(userId, event);
      return;
    }
    waiting.push(() => pass(userId, event));
    if (waiting.length === 1) setTimeout(sendWaiting, dueInMs);
  };
}
