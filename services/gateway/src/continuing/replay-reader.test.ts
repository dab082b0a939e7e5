import { randomUUID } from "node:crypto";
import { connectMessaging, defaultStreamSettings, ensureStreams, type Messaging, storedRange } from "@parley/messaging";
import { createLogger } from "@parley/service-runtime";
import { startNats } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { messageOf, publish } from "../gateway-fixture.js";
import { createReplayReader } from "./replay-reader.js";
import { sequenceOf } from "./source-events.js";
import { StreamWindow } from "./stream-window.js";

let nats: Awaited<ReturnType<typeof startNats>>;
let messaging: Messaging;
const servers = [randomUUID(), randomUUID(), randomUUID()];
/** Sequences of each server's events. */
const stored = new Map<string, number[]>(servers.map((id) => [id, []]));
let last = 0;

async function postToEach(rounds: number) {
  for (let round = 0; round < rounds; round++) {
    for (const server_id of servers) {
      const target = { server_id, channel_id: server_id };
      const { sequence } = await publish(messaging, "MESSAGE_CREATE", target, messageOf(server_id, "x"));
      stored.get(server_id)?.push(sequence);
      last = sequence;
    }
  }
}

beforeAll(async () => {
  nats = await startNats();
  const logger = createLogger({ service: "test", level: "silent", nodeId: "test" });
  messaging = await connectMessaging({ url: nats.url, name: "test", logger });
  await ensureStreams(messaging, defaultStreamSettings);
  await postToEach(20);
});

afterAll(async () => {
  await messaging.close();
  await nats.stop();
});

const expected = (id: string, from: number, to: number) =>
  (stored.get(id) ?? []).filter((sequence) => sequence >= from && sequence <= to);

describe("the replay reader", () => {
  test.each([5, 30, 100_000])("reads every range of every server exactly, with a window of %i events", async (max) => {
    const reader = createReplayReader({ messaging, highWatermark: () => last, windowEventsMax: max });
    for (const from of [1, 2, 17, 40, last - 3, last, last + 1]) {
      for (const to of [from, Math.min(from + 7, last), last]) {
        await reader.prepare(from, to);
        const sources = servers.map((id) => reader.read({ kind: "server", id, from }, to));
        for (const [index, events] of (await Promise.all(sources)).entries()) {
          expect(events?.all().map(sequenceOf)).toEqual(expected(servers[index] ?? "", from, to));
        }
      }
    }
    await postToEach(3);
    await reader.prepare(last - 4, last);
    const [id = ""] = servers;
    const recent = await reader.read({ kind: "server", id, from: last - 4 }, last);
    expect(recent?.all().map(sequenceOf)).toEqual(expected(id, last - 4, last));
  });

  test("the replay reader knows what the stream still has, and under which ids", async () => {
    const reader = createReplayReader({ messaging, highWatermark: () => last });
    expect(await reader.firstSequence()).toBe((await storedRange(messaging)).firstSequence);
    const ids = await Promise.all([reader.idOf(1), reader.idOf(1), reader.idOf(2), reader.idOf(last + 1)]);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).not.toBe(ids[0]);
    expect(ids[3]).toBeUndefined();
  });

  test("the replay reader does not claim what was dropped while it was read", async () => {
    let isLost = true;
    const window: StreamWindow = new StreamWindow(messaging, () => {
      // Asked for when a reading begins, which takes more than a turn of the event loop.
      if (isLost) setImmediate(() => window.clear());
      return last;
    });
    await expect(window.cover(1, last)).rejects.toThrow("dropped meanwhile");
    expect(window.covers(1, last)).toBe(false);
    isLost = false;
    await window.cover(1, last);
    const [id = ""] = servers;
    expect(window.eventsOf(id)?.between({ from: 1, to: last }).all().map(sequenceOf)).toEqual(expected(id, 1, last));
  });
});
