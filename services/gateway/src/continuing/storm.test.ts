import { modelSteps, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectNumbered, contentsOf, continueAt, lastCursor, openNumbered, startStage } from "./continuing-fixture.js";

let stage: Awaited<ReturnType<typeof startStage>>;

beforeAll(async () => {
  stage = await startStage();
});

afterAll(() => stage.stop());

describe("many who continue", () => {
  test("many who continue at once from the same old cursors get everything once", async () => {
    const userIds = await Promise.all(Array.from({ length: 25 }, () => stage.rows.user()));
    const [ownerId = ""] = userIds;
    const place = await stage.place(ownerId, userIds.slice(1));
    const cursors = new Map<string, string>();
    for (const userId of userIds) {
      const client = await connectNumbered(stage.nodes[0], userId);
      cursors.set(userId, lastCursor(client));
      await client.close();
    }
    const missed = Array.from({ length: 100 }, (_, index) => `${index}`);
    for (const content of missed) await stage.post(place, content);
    const resumed = stage.nodes[1].metrics.resumed;
    const each = modelSteps(40);
    const clients = userIds.flatMap((userId) =>
      Array.from({ length: each }, () => openNumbered(stage.nodes[1], userId, cursors.get(userId) ?? "")),
    );
    const isResumed = ({ frames }: (typeof clients)[number]) => frames.some(({ t }) => t === "RESUMED");
    await waitUntil(() => clients.every(isResumed), { what: "everybody to continue", timeoutMs: 60_000 });
    expect(stage.nodes[1].metrics.resumed - resumed).toBe(userIds.length * each);
    for (const { frames } of clients) expect(contentsOf(frames)).toEqual(missed);
    for (const { socket } of clients) socket.terminate();
    await Promise.all(clients.map(({ closed }) => closed));
  });

  test("while many continue in a loop without reading, the others are served, and what is read afterwards is exact", async () => {
    const [ownerId, userId] = [await stage.rows.user(), await stage.rows.user()];
    const place = await stage.place(ownerId, [userId]);
    const client = await connectNumbered(stage.nodes[0], userId);
    await client.close();
    const s = lastCursor(client);
    const missed = Array.from({ length: 12 }, (_, index) => `${index} ${"x".repeat(300_000)}`);
    for (const content of missed) await stage.post(place, content);
    const deaf = Array.from({ length: 30 }, () => {
      const opened = openNumbered(stage.nodes[1], userId, s);
      opened.socket.on("upgrade", () => opened.socket.pause());
      return opened;
    });
    const { client: reading, answer } = await continueAt(stage.nodes[1], userId, s);
    expect(answer).toMatchObject({ t: "RESUMED", d: { replayed: missed.length } });
    expect(contentsOf(reading.frames)).toEqual(missed);
    await reading.close();
    for (const { socket } of deaf) socket.terminate();
    const { client: again } = await continueAt(stage.nodes[1], userId, s);
    expect(contentsOf(again.frames)).toEqual(missed);
    await again.close();
  });

  test("connections of one user that continue over and over wait for each other, and another user does not wait for them", async () => {
    const [ownerId, userId] = [await stage.rows.user(), await stage.rows.user()];
    const place = await stage.place(ownerId, [userId]);
    const cursorOf = async (of: string) => {
      const client = await connectNumbered(stage.nodes[0], of);
      await client.close();
      return lastCursor(client);
    };
    const cursors = { user: await cursorOf(userId), owner: await cursorOf(ownerId) };
    const missed = Array.from({ length: 12 }, (_, index) => `${index} ${"x".repeat(300_000)}`);
    for (const content of missed) await stage.post(place, content);
    const many = Array.from({ length: 12 }, () => openNumbered(stage.nodes[1], userId, cursors.user));
    const isResumed = ({ frames }: (typeof many)[number]) => frames.some(({ t }) => t === "RESUMED");
    await waitUntil(() => many.some(isResumed), { what: "the first to continue" });
    const { client: other } = await continueAt(stage.nodes[1], ownerId, cursors.owner);
    expect(many.every(isResumed)).toBe(false);
    await waitUntil(() => many.every(isResumed), { what: "all of them to continue", timeoutMs: 60_000 });
    for (const { frames } of [...many, other]) expect(contentsOf(frames)).toEqual(missed);
    for (const client of [...many, other]) await client.close();
  });
});
