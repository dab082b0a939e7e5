import { randomUUID } from "node:crypto";
import { dispatchFrame, events, subjects } from "@parley/contracts";
import { connectMessaging, publishStored } from "@parley/messaging";
import { type Pace, sendSteadily } from "./measure.js";

const ackTimeoutMs = 60_000;
/** Bytes of an event's body: a short message. */
const bodyBytes = 350;

interface Channel {
  serverId: string;
  channelId: string;
}

/** Nobody on the way reads the payload, so it need not be a message; its length counts. */
export function eventBody(start = ""): string {
  const frameOf = (content: string) => dispatchFrame("MESSAGE_CREATE", JSON.stringify({ id: randomUUID(), content }));
  return frameOf(start + "x".repeat(bodyBytes - frameOf(start).length));
}

/** The writer's side: the work of the api after a commit. */
export type Publisher = Awaited<ReturnType<typeof startPublisher>>;

export async function startPublisher(natsUrl: string) {
  const logger = { info: () => undefined, warn: () => undefined };
  const messaging = await connectMessaging({ url: natsUrl, name: "bench publisher", logger });
  const body = eventBody();
  const { resource } = events.MESSAGE_CREATE;
  const send = async ({ serverId, channelId }: Channel, text: string) => {
    const subject = subjects.stored({ kind: "server", serverId, channelId }, resource, "MESSAGE_CREATE");
    await publishStored(messaging, { id: randomUUID(), subject, body: text, headers: {} }, ackTimeoutMs);
  };
  return {
    /** Every event has this body, a frame as the api writes it. */
    body,
    /** @returns when each was handed to NATS, by the machine's monotonic clock; all are stored by then */
    publish: (channel: Channel, pace: Pace) => sendSteadily(pace, () => send(channel, body)),
    /**
     * As `publish`, to channels in turns; the content of each event begins with its number, from 0,
     * and a blank.
     */
    publishNumbered: (channels: readonly Channel[], pace: Pace) =>
      sendSteadily(pace, (number) => {
        const channel = channels[number % channels.length];
        if (channel === undefined) throw new Error("there is no channel to publish to");
        return send(channel, eventBody(`${number} `));
      }),
    close: messaging.close,
  };
}
