import { eventsStream } from "@parley/contracts";
import { defaultStreamSettings, ensureStreams } from "@parley/messaging";
import { waitUntil } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCursors } from "../cursors/cursor.js";
import { publish } from "../gateway-fixture.js";
import { crc32 } from "../query/shard.js";
import { connectNumbered, contentsOf, continueAt, lastCursor, startStage } from "./continuing-fixture.js";

let stage: Awaited<ReturnType<typeof startStage>>;

beforeAll(async () => {
  stage = await startStage();
});

afterAll(() => stage.stop());

/** A user's cursor from the first node, and a place that the user is a member of. */
async function createScene(query = "") {
  const [ownerId, userId] = [await stage.rows.user(), await stage.rows.user()];
  const place = await stage.place(ownerId, [userId]);
  const client = await connectNumbered(stage.nodes[0], userId, query);
  await client.close();
  return { ownerId, userId, place, s: lastCursor(client) };
}

/** Asks the second node to continue; the reason of the READY, and that the connection works. */
async function reasonFor(userId: string, s: string, query = "") {
  const before = { ...stage.nodes[1].metrics.resyncs };
  const { client, answer } = await continueAt(stage.nodes[1], userId, s, query);
  expect(answer).toMatchObject({ t: "READY", s: expect.stringMatching(/^[A-Za-z0-9._~-]{1,128}$/) });
  await stage.sendDm(userId, "goes on");
  await client.receive("DM_MESSAGE_CREATE");
  expect(contentsOf(client.frames)).toEqual(["goes on"]);
  await client.close();
  const { client: next, answer: resumed } = await continueAt(stage.nodes[0], userId, lastCursor(client), query);
  expect(resumed.t).toBe("RESUMED");
  await next.close();
  const counted = Object.entries(stage.nodes[1].metrics.resyncs).filter(([reason, times]) => {
    return times !== Object.entries(before).find(([name]) => name === reason)?.[1];
  });
  expect(counted.map(([reason]) => reason)).toEqual([answer.d.resync]);
  return answer.d.resync;
}

const refused = { positions: { highest: 2 ** 40, anchor: 0, writtenAt: 0, pending: new Map<number, number>() } };

describe("a connection that cannot continue gets READY", () => {
  test("a connection gets READY with the reason unknown for what is none of this user's cursors", async () => {
    const { userId, s } = await createScene();
    const { s: foreign } = await createScene();
    const changed = s.startsWith("A") ? `B${s.slice(1)}` : `A${s.slice(1)}`;
    const [position = "", sessionTag = ""] = s.split(".");
    const elsewhere = createCursors(["another installation's own secret!"]);
    const foreignPosition = elsewhere.writePosition(refused.positions);
    const ofAnother = `${foreignPosition}.${elsewhere.writeSessionTag({ userId, memberships: 0, filter: 0, shown: null })}`;
    const values = [
      ofAnother,
      foreign,
      changed,
      s.slice(0, -1),
      "x",
      "a.b",
      "x".repeat(10_240),
      `${foreignPosition}.${sessionTag}`,
    ];
    for (const value of [...values, `${position}.${"A".repeat(20)}`]) {
      expect(await reasonFor(userId, value), value.slice(0, 200)).toBe("unknown");
    }
  });

  test("a connection gets READY with the reason unknown for a cursor from the future", async () => {
    const { userId, s } = await createScene();
    const cursors = createCursors(["0123456789abcdef0123456789abcdef"]);
    const cursor = cursors.read(s, userId);
    if (cursor === null) throw new Error("not our cursor");
    const position = cursors.writePosition({ ...cursor.position, highest: cursor.position.highest + 1_000 });
    expect(await reasonFor(userId, `${position}.${s.split(".")[1]}`)).toBe("unknown");
  });

  test("a connection gets READY with the reason filter when it asks for other events or another shard, a membership ended or not", async () => {
    const query = "&events=MESSAGE_CREATE,DM_MESSAGE_CREATE&shard=0/1";
    const { userId, place, s } = await createScene(query);
    expect(await reasonFor(userId, s)).toBe("filter");
    await stage.rows.endMember(place.server_id, userId);
    await publish(stage.nodes[0].messaging, "SERVER_LEFT", { user_id: userId }, { ...place, user_id: userId });
    expect(await reasonFor(userId, s, "&shard=0/1&events=DM_MESSAGE_CREATE")).toBe("filter");
    expect(await reasonFor(userId, s, "&shard=0/1&events=DM_MESSAGE_CREATE,MESSAGE_CREATE")).toBe("membership");
  });

  test("a connection gets READY with the reason filter when its shard is one of another split", async () => {
    const { userId, place, s } = await createScene("&shard=0/1");
    const shard = crc32(place.server_id) % 2;
    for (const split of [`${shard}/2`, `${1 - shard}/2`, "0/3"]) {
      const { client, answer } = await continueAt(stage.nodes[1], userId, s, `&shard=${split}`);
      expect(answer).toMatchObject({ t: "READY", d: { resync: "filter" } });
      await client.close();
    }
  });

  test("a connection gets READY with the reason membership when the user joined, left, left and came back, or the server was deleted", async () => {
    const { messaging } = stage.nodes[0];
    const joined = await createScene();
    const next = await stage.place(joined.ownerId, [joined.userId]);
    await publish(messaging, "SERVER_JOINED", joined.place && { user_id: joined.userId }, {
      ...next,
      user_id: joined.userId,
    });
    expect(await reasonFor(joined.userId, joined.s)).toBe("membership");

    const left = await createScene();
    await stage.rows.endMember(left.place.server_id, left.userId);
    await publish(messaging, "SERVER_LEFT", { user_id: left.userId }, { ...left.place, user_id: left.userId });
    expect(await reasonFor(left.userId, left.s)).toBe("membership");

    const back = await createScene();
    for (const name of ["SERVER_LEFT", "SERVER_JOINED"] as const) {
      await publish(messaging, name, { user_id: back.userId }, { ...back.place, user_id: back.userId });
    }
    expect(await reasonFor(back.userId, back.s)).toBe("membership");

    const deleted = await createScene();
    const { server_id } = deleted.place;
    await stage.nodes[0].database.prisma.server.delete({ where: { id: server_id } });
    await publish(messaging, "SERVER_DELETED", { server_id }, { server_id });
    expect(await reasonFor(deleted.userId, deleted.s)).toBe("membership");
  });

  test("a connection gets READY with the reason membership only for a server of its shard", async () => {
    const { messaging } = stage.nodes[0];
    const { ownerId, userId } = await createScene();
    const next = await stage.place(ownerId, [userId]);
    const shards = [crc32(next.server_id) % 2, 1 - (crc32(next.server_id) % 2)];
    const cursors: string[] = [];
    for (const shard of shards) {
      const client = await connectNumbered(stage.nodes[0], userId, `&shard=${shard}/2`);
      await client.close();
      cursors.push(lastCursor(client));
    }
    await stage.rows.endMember(next.server_id, userId);
    await publish(messaging, "SERVER_LEFT", { user_id: userId }, { ...next, user_id: userId });
    const answers = [];
    for (const [index, shard] of shards.entries()) {
      const { client, answer } = await continueAt(stage.nodes[1], userId, cursors[index] ?? "", `&shard=${shard}/2`);
      answers.push([answer.t, answer.d.resync]);
      await client.close();
    }
    expect(answers).toEqual([
      ["READY", "membership"],
      ["RESUMED", undefined],
    ]);
  });

  test("a connection gets READY with the reason too_many for more than 5,000 events, and for more than 4 MiB of frames, not for 5,000", async () => {
    const { userId, place, s } = await createScene();
    for (let index = 0; index < 4_999; index += 50) {
      await Promise.all(Array.from({ length: Math.min(50, 4_999 - index) }, () => stage.post(place, "x")));
    }
    const { client, answer } = await continueAt(stage.nodes[1], userId, s);
    expect(answer).toMatchObject({ t: "RESUMED", d: { replayed: 4_999 } });
    await client.close();
    await stage.post(place, "x");
    const { client: full, answer: all } = await continueAt(stage.nodes[1], userId, s);
    expect(all).toMatchObject({ t: "RESUMED", d: { replayed: 5_000 } });
    await full.close();
    await stage.post(place, "x");
    expect(await reasonFor(userId, s)).toBe("too_many");
    const large = await createScene();
    for (let index = 0; index < 17; index++) await stage.post(large.place, "x".repeat(256 * 1024));
    expect(await reasonFor(large.userId, large.s)).toBe("too_many");
    const { server_id } = await stage.place(large.ownerId, [large.userId]);
    const { messaging } = stage.nodes[0];
    await publish(messaging, "SERVER_JOINED", { user_id: large.userId }, { server_id, user_id: large.userId });
    expect(await reasonFor(large.userId, large.s)).toBe("membership");
  });

  test("a connection gets READY with the reason expired when the stream no longer has what followed, and only then", async () => {
    const { userId, place, s } = await createScene();
    const { sequence } = await stage.post(place, "1");
    await stage.post(place, "2");
    const client = await connectNumbered(stage.nodes[0], userId);
    await client.close();
    const manager = await stage.nodes[0].messaging.nats.jetstreamManager();
    await manager.streams.purge(eventsStream, { seq: sequence + 1 });
    expect(await reasonFor(userId, s)).toBe("expired");
    expect(await reasonFor(userId, s, "&events=DM_MESSAGE_CREATE")).toBe("expired");
    const { client: again, answer } = await continueAt(stage.nodes[1], userId, lastCursor(client));
    expect(answer.t).toBe("RESUMED");
    await again.close();
  });

  test("a connection gets READY with the reason unknown when the stream was made anew, also when it has as many events again", async () => {
    const { userId, place, s } = await createScene();
    const witnesses = [];
    for (const node of stage.nodes) witnesses.push(await connectNumbered(node, userId));
    const manager = await stage.nodes[0].messaging.nats.jetstreamManager();
    const { state } = await manager.streams.info(eventsStream);
    await manager.streams.delete(eventsStream);
    await stage.nats.kill();
    await stage.nats.restart();
    const [{ messaging }] = stage.nodes;
    await waitUntil(() => messaging.connected, { what: "the connection to NATS" });
    await ensureStreams(messaging, defaultStreamSettings);
    // Both nodes have noticed.
    for (const witness of witnesses) expect(await witness.closed).toBe(1001);
    expect(await reasonFor(userId, s)).toBe("unknown");
    for (let count = 0; count < state.last_seq + 10; count += 100) {
      await Promise.all(Array.from({ length: 100 }, () => stage.post(place, "x")));
    }
    expect(await reasonFor(userId, s)).toBe("unknown");
  });
});
