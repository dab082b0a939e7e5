import { createEvent, routingHeaders, subjects } from "@parley/contracts";
import { startNats, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectMessaging, type Messaging } from "./connect.js";
import { publishLive, publishStored } from "./publish.js";
import { readStored, storedRange } from "./read-stored.js";
import { defaultStreamSettings, ensureStreams } from "./streams.js";
import { type ReceivedEvent, subscribeLive } from "./subscribe.js";

let nats: Awaited<ReturnType<typeof startNats>>;
let writer: Messaging;
let reader: Messaging;
const logger = { info() {}, warn() {} };

beforeAll(async () => {
  nats = await startNats();
  const options = { url: nats.url, name: "test", logger };
  [writer, reader] = await Promise.all([connectMessaging(options), connectMessaging(options)]);
  // Two processes that start at once both ensure the streams.
  await Promise.all([ensureStreams(writer, defaultStreamSettings), ensureStreams(reader, defaultStreamSettings)]);
});
afterAll(async () => {
  await Promise.all([writer?.close(), reader?.close()]);
  await nats?.stop();
});

const typing = (channel_id: string) =>
  createEvent(
    "TYPING_START",
    { server_id: "s1", channel_id },
    { user_id: "u1", username: "ann", channel_id, timestamp: "t" },
  );
const removed = (server_id: string, role_id: string) =>
  createEvent("ROLE_DELETE", { server_id }, { server_id, role_id });

/** The events that a subscriber gets. */
async function listen(pattern: string) {
  const received: (Omit<ReceivedEvent, "body"> & { text: string })[] = [];
  subscribeLive(reader, pattern, (event) => received.push({ ...event, text: Buffer.from(event.body).toString() }));
  await reader.nats.flush();
  return received;
}

describe("stored events", () => {
  test("stored events are republished with their place in the stream, to subscribers of their server only", async () => {
    const [mine, others] = [await listen(subjects.liveServer("a")), await listen(subjects.liveServer("b"))];
    const first = await publishStored(writer, { ...removed("a", "1"), id: "id-1" });
    const second = await publishStored(writer, { ...removed("a", "2"), id: "id-2" });
    await waitUntil(() => mine.length === 2);
    expect(mine[0]?.address).toEqual({
      scope: { kind: "server", serverId: "a", channelId: null },
      resource: "roles",
      event: "ROLE_DELETE",
    });
    expect(mine[1]?.stored).toEqual({ sequence: second.sequence, previousSequence: first.sequence });
    expect(mine[1]?.text).toBe('{"op":"DISPATCH","t":"ROLE_DELETE","d":{"server_id":"a","role_id":"2"}}');
    expect(others).toEqual([]);
  });

  test("stored events with the same id are kept once", async () => {
    const first = await publishStored(writer, { ...removed("c", "1"), id: "same" });
    const again = await publishStored(writer, { ...removed("c", "1"), id: "same" });
    expect(again).toEqual({ sequence: first.sequence, duplicate: true });
  });

  test("can be read again from any sequence, in order and with their headers", async () => {
    const { lastSequence } = await storedRange(writer);
    for (const id of ["x", "y", "z"]) {
      await publishStored(writer, { ...removed("d", id), id, headers: { [routingHeaders.poll]: id } });
    }
    const read: [string, string | null][] = [];
    await readStored(reader, { from: lastSequence + 2, to: lastSequence + 3 }, (event) => {
      read.push([event.subject, event.pollId]);
    });
    const subject = "live.server.d._.roles.ROLE_DELETE";
    expect(read).toEqual([
      [subject, "y"],
      [subject, "z"],
    ]);
    await readStored(reader, { from: lastSequence + 4, to: lastSequence + 9 }, () => {
      throw new Error("There is nothing to read.");
    });
  });
});

describe("ephemeral events", () => {
  test("arrive without a place in the stream, on the subscription of their server", async () => {
    const received = await listen(subjects.liveServer("s1"));
    publishLive(writer, typing("c1"));
    await waitUntil(() => received.length === 1);
    expect(received[0]?.stored).toBeNull();
    expect(received[0]?.address.scope).toEqual({ kind: "server", serverId: "s1", channelId: "c1" });
  });
});

test("an outage shows, loses ephemeral events only, and ends by itself", async () => {
  await nats.kill();
  await waitUntil(() => !writer.connected && !reader.connected);
  publishLive(writer, typing("lost"));
  await expect(writer.ping(500)).rejects.toThrow("NATS is not connected");
  await expect(publishStored(writer, { ...removed("e", "1"), id: "outage" })).rejects.toThrow();
  await nats.restart();
  await waitUntil(() => writer.connected && reader.connected);
  await writer.ping(2_000);
  await publishStored(writer, { ...removed("e", "1"), id: "outage" }, 5_000);
});

describe("streams", () => {
  test("streams that the server refuses are an error with the names of the settings", async () => {
    const settings = { ...defaultStreamSettings, STREAM_REPLICAS: 3 };
    const refused =
      "NATS refuses the settings of the stream EVENTS (EVENTS_MAX_AGE_MS, EVENTS_MAX_BYTES, STREAM_REPLICAS): replicas > 1 not supported in non-clustered mode";
    const lonely = await startNats();
    const messaging = await connectMessaging({ url: lonely.url, name: "test", logger });
    try {
      await expect(ensureStreams(messaging, settings)).rejects.toThrow(refused);
    } finally {
      await messaging.close();
      await lonely.stop();
    }
  });

  test("streams are updated only when a setting differs", async () => {
    const updates: string[] = [];
    // The server announces every update on a subject of JetStream's own.
    reader.nats.subscribe("$JS.EVENT.ADVISORY.STREAM.UPDATED.*", {
      callback: (_error, message) => updates.push(message.subject.split(".").at(-1) ?? ""),
    });
    await reader.nats.flush();
    await ensureStreams(writer, defaultStreamSettings);
    await Promise.all([ensureStreams(writer, defaultStreamSettings), ensureStreams(reader, defaultStreamSettings)]);
    await ensureStreams(writer, { ...defaultStreamSettings, EVENTS_MAX_AGE_MS: 1_000_000 });
    await waitUntil(() => updates.length > 0, { what: "the advisory of an update" });
    expect(updates).toEqual(["EVENTS"]);
    await ensureStreams(writer, defaultStreamSettings);
    await waitUntil(() => updates.length > 1, { what: "the advisory of the next update" });
    expect(updates).toEqual(["EVENTS", "EVENTS"]);
  });
});
