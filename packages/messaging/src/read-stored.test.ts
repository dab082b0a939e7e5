import { randomUUID } from "node:crypto";
import { createEvent } from "@parley/contracts";
import { type NatsProxy, startNats, startNatsProxy, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectMessaging, type Messaging } from "./connect.js";
import { publishHeartbeat, subscribeHeartbeats } from "./heartbeat.js";
import { publishStored } from "./publish.js";
import { readStored, storedRange } from "./read-stored.js";
import { defaultStreamSettings, ensureStreams } from "./streams.js";

let messaging: Messaging;
let proxy: NatsProxy;
/** A connection through the proxy. */
let interrupted: Messaging;
const stops: (() => Promise<unknown>)[] = [];
const [server, other, user] = [randomUUID(), randomUUID(), randomUUID()];

beforeAll(async () => {
  const nats = await startNats();
  const logger = { info: () => {}, warn: () => {} };
  messaging = await connectMessaging({ url: nats.url, name: "read-stored test", logger });
  await ensureStreams(messaging, defaultStreamSettings);
  proxy = await startNatsProxy(nats.url);
  interrupted = await connectMessaging({ url: proxy.url, name: "interrupted", logger });
  stops.push(messaging.close, interrupted.close, proxy.close, nats.stop);
  for (let number = 0; number < 1_200; number++) {
    const server_id = number % 2 === 0 ? server : other;
    const event = createEvent("MEMBER_UNBAN", { server_id }, { server_id, user_id: user });
    await publishStored(messaging, { ...event, id: `${number}` }, 5_000);
  }
});

afterAll(async () => {
  for (const stop of stops) await stop();
});

async function read(range: { from: number; to: number; filter?: string }): Promise<number[]> {
  const sequences: number[] = [];
  await readStored(messaging, range, (event) => {
    sequences.push(event.stored?.sequence ?? 0);
  });
  return sequences;
}

const numbers = (from: number, to: number, step = 1) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);

describe("reading stored events again", () => {
  test("reading stored events again hands over exactly the range, in order, over several batches", async () => {
    expect(await read({ from: 3, to: 1_190 })).toEqual(numbers(3, 1_190));
    expect(await read({ from: 1_200, to: 1_200 })).toEqual([1_200]);
  });

  test("reading stored events again hands over the filtered subjects only, also when the end of the range is none of them", async () => {
    expect(await read({ from: 1, to: 100, filter: `events.server.${server}.>` })).toEqual(numbers(1, 99, 2));
  });

  test("reading stored events again gives events the subject and address under which they are republished", async () => {
    await readStored(messaging, { from: 1, to: 1 }, (event) => {
      expect(event.subject).toBe(`live.server.${server}._.moderation.MEMBER_UNBAN`);
      expect(event.address.scope).toEqual({ kind: "server", serverId: server, channelId: null });
    });
  });

  test("reading stored events again ends at once when there is nothing to read", async () => {
    expect(await read({ from: 5, to: 4 })).toEqual([]);
    expect(await read({ from: 1_201, to: 2_000 })).toEqual([]);
    expect(await read({ from: 1, to: 1_200, filter: `events.user.${user}.>` })).toEqual([]);
  });

  test("reading stored events again waits for a handler that takes time", async () => {
    let running = 0;
    await readStored(messaging, { from: 1, to: 20 }, async () => {
      expect(running).toBe(0);
      running += 1;
      await messaging.nats.flush();
      running -= 1;
    });
  });

  test("reading stored events again rejects when the connection is lost on the way, and leaves no hole in what it handed over", async () => {
    for (const cutAt of [1, 40, 499, 700]) {
      const sequences: number[] = [];
      const reading = readStored(interrupted, { from: 1, to: 1_200 }, async (event) => {
        sequences.push(event.stored?.sequence ?? 0);
        if (sequences.length !== cutAt) return;
        proxy.cut();
        await waitUntil(() => !interrupted.connected);
        proxy.restore();
        await waitUntil(() => interrupted.connected);
      });
      await expect(reading).rejects.toThrow("the connection to NATS was lost");
      expect(sequences).toEqual(numbers(1, cutAt));
    }
  });

  test("reading stored events again skips heartbeats, which are stored and heard by everybody", async () => {
    const heard = new Promise<number>((resolve) => subscribeHeartbeats(messaging, resolve));
    publishHeartbeat(messaging);
    const sequence = await heard;
    expect((await storedRange(messaging)).lastSequence).toBe(sequence);
    expect(await read({ from: sequence - 1, to: sequence })).toEqual([sequence - 1]);
  });
});
