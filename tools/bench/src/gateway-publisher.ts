import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { dispatchFrame, events, subjects } from "@parley/contracts";
import { connectMessaging, type Messaging, publishLive, publishStored } from "@parley/messaging";
import { clockMs } from "./gateway-clock.js";
import type { Contestant } from "./gateway-contestants.js";

/** Bytes of an event's body: a short message. */
const bodyBytes = 350;
const ackTimeoutMs = 60_000;

/** How events get to the gateways: stored and republished by the stream as messages are, or straight through NATS. */
export type Route = "stream" | "core";

/** The writer's side: what the api does after a commit. */
export interface Publisher {
  /** Every event has this body, a frame as the api writes it. */
  readonly body: string;
  /**
   * Publishes events at a steady rate until `isDone` says so.
   *
   * @returns when each was handed to NATS, by the machine's monotonic clock; all are stored by then
   */
  publish(
    contestant: Pick<Contestant, "serverId" | "channelId">,
    options: { perSecond: number; isDone: (published: number) => boolean; route?: Route },
  ): Promise<number[]>;
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
        stored.push(send());
      }
      await Promise.all(stored);
      return sentAt;
    },
    close: messaging.close,
  };
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

/** Nobody on the way reads the payload, so it need not be a message; its length counts. */
function eventBody(): string {
  const frameOf = (content: string) => dispatchFrame("MESSAGE_CREATE", JSON.stringify({ id: randomUUID(), content }));
  return frameOf("x".repeat(bodyBytes - frameOf("").length));
}
