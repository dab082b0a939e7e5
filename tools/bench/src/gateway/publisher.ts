import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { events, subjects } from "@parley/contracts";
import { connectMessaging, type Messaging, publishLive, publishStored } from "@parley/messaging";
import { clockMs } from "../clock.js";
import type { Contestant } from "./contestants.js";
import { eventBody } from "./event.js";

const ackTimeoutMs = 60_000;

/** How events get to the gateways: stored and republished by the stream as messages are, or straight through NATS. */
export type Route = "stream" | "core";

interface Pace {
  perSecond: number;
  isDone: (published: number) => boolean;
}

/** The writer's side: what the api does after a commit. */
export interface Publisher {
  /** Every event has this body, a frame as the api writes it. */
  readonly body: string;
  /**
   * Publishes events at a steady rate until `isDone` says so.
   *
   * @returns when each was handed to NATS, by the machine's monotonic clock; all are stored by then
   */
  publish(contestant: Pick<Contestant, "serverId" | "channelId">, options: Pace & { route?: Route }): Promise<number[]>;
  /**
   * As `publish`, through the stream to channels in turns; the content of each event begins with its number, from 0, and
   * a blank.
   */
  publishNumbered(channels: readonly { serverId: string; channelId: string }[], pace: Pace): Promise<number[]>;
  close(): Promise<void>;
}

export async function startPublisher(natsUrl: string): Promise<Publisher> {
  const logger = { info: () => undefined, warn: () => undefined };
  const messaging = await connectMessaging({ url: natsUrl, name: "bench publisher", logger });
  const body = eventBody();
  return {
    body,
    async publish({ serverId, channelId }, { perSecond, isDone, route = "stream" }) {
      const scope = { kind: "server", serverId, channelId } as const;
      const send = senderOf(messaging, { route, scope, body });
      return sendSteadily({ perSecond, isDone }, send);
    },
    publishNumbered(channels, pace) {
      return sendSteadily(pace, (number) => {
        const channel = channels[number % channels.length];
        if (channel === undefined) throw new Error("there is no channel to publish to");
        const numbered = eventBody(`${number} `);
        return senderOf(messaging, { route: "stream", scope: { kind: "server", ...channel }, body: numbered })();
      });
    },
    close: messaging.close,
  };
}

/** @returns when each was sent; resolves when all are stored */
async function sendSteadily(
  { perSecond, isDone }: Pace,
  send: (number: number) => Promise<unknown>,
): Promise<number[]> {
  const sentAt: number[] = [];
  const stored: Promise<unknown>[] = [];
  const startedAt = clockMs();
  while (!isDone(sentAt.length)) {
    const dueInMs = startedAt + (sentAt.length / perSecond) * 1_000 - clockMs();
    if (dueInMs > 0) {
      await pause(dueInMs);
      continue;
    }
    sentAt.push(clockMs());
    stored.push(send(sentAt.length - 1));
  }
  await Promise.all(stored);
  return sentAt;
}

function senderOf(
  messaging: Messaging,
  event: { route: Route; scope: Parameters<typeof subjects.live>[0]; body: string },
): () => Promise<unknown> {
  const { route, scope, body } = event;
  const { resource } = events.MESSAGE_CREATE;
  if (route === "stream") {
    const subject = subjects.stored(scope, resource, "MESSAGE_CREATE");
    return () => publishStored(messaging, { id: randomUUID(), subject, body, headers: {} }, ackTimeoutMs);
  }
  const subject = subjects.live(scope, resource, "MESSAGE_CREATE");
  return async () => publishLive(messaging, { subject, body, headers: {} });
}
