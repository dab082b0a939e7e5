import type { AutomodStored } from "@parley/contracts";
import { readStored, storedRange } from "@parley/messaging";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type AutomodFixture, type Scene, startAutomodFixture, storeMessage } from "./automod-fixture.js";
import { sentAtMs } from "./sequence.js";

let fixture: AutomodFixture;
let scene: Scene;

beforeAll(async () => {
  fixture = await startAutomodFixture();
});
afterAll(() => fixture?.stop());
beforeEach(async () => {
  scene = await fixture.createScene();
});

async function store(
  contents: readonly string[],
  rules: AutomodStored["rules"],
  id?: string,
): Promise<AutomodStored[]> {
  const stored: AutomodStored[] = [];
  for (const content of contents) stored.push(await storeMessage(fixture, scene, { content, rules, id }));
  return stored;
}
const judgeOn = (index: number, message: AutomodStored | undefined) => {
  if (message === undefined) throw new Error("There is nothing to judge.");
  return fixture.instance(index).judgeStored(message, sentAtMs(message.message_id), "late");
};
const deletedContents = async () => {
  const rows = await fixture.database.prisma.message.findMany({
    where: { server_id: scene.serverId, deleted: true },
    orderBy: { id: "asc" },
    select: { content: true },
  });
  return rows.map(({ content }) => content);
};
const countLogs = () => fixture.database.prisma.automodLog.count({ where: { server_id: scene.serverId } });

describe("a message that is judged", () => {
  test("again and again, by both processes at once, is deleted, logged and acted upon once", async () => {
    const messages = await store(["a", "b", "c", "d"], ["spam"]);
    const { lastSequence } = await storedRange(fixture.messaging);
    const verdicts = await Promise.all(Array.from({ length: 12 }, (_, index) => judgeOn(index, messages[3])));
    expect(verdicts).toEqual(Array(12).fill(true));
    expect(await judgeOn(0, messages[3])).toBe(true);
    expect(await deletedContents()).toEqual(["d"]);
    expect(await countLogs()).toBe(1);
    const names: string[] = [];
    await readStored(fixture.messaging, { from: lastSequence + 1, to: lastSequence + 100 }, ({ address }) => {
      names.push(address.event);
    });
    expect(names).toEqual(["MESSAGE_DELETE", "MEMBER_KICK", "MEMBER_LEAVE", "SERVER_LEFT"]);
  });

  test.each([
    ["in reverse", (count: number) => Array.from({ length: count }, (_, index) => count - 1 - index)],
    ["in any order", (count: number) => Array.from({ length: count }, (_, index) => (index * 5) % count)],
  ])("messages of one author that are judged %s get the verdicts of their own order", async (_name, order) => {
    const contents = ["a", "b", "c", "d", "e", "f", "g", "h"];
    const spam = await store(contents, ["spam"]);
    for (const index of order(contents.length)) await judgeOn(index, spam[index]);
    expect(await deletedContents()).toEqual(["d", "e", "f", "g", "h"]);
  });

  test("a message that is judged after its identical predecessor or before it, is the duplicate, and the predecessor is not", async () => {
    const [first, second] = await store(["same", "same"], ["duplicate"]);
    expect(await judgeOn(0, second)).toBe(true);
    expect(await judgeOn(1, first)).toBe(false);
    expect(await judgeOn(1, second)).toBe(true);
    expect(await deletedContents()).toEqual(["same"]);
    expect(await countLogs()).toBe(1);
  });

  test("a message that is judged when its server is gone, is not judged", async () => {
    const [message] = await store(["bye"], ["duplicate", "spam"]);
    await fixture.database.prisma.server.delete({ where: { id: scene.serverId } });
    expect(await judgeOn(0, message)).toBe(false);
  });
});

test("a message that is stored after the others, though its time is earlier, is the one too many", async () => {
  const [row] = await fixture.database.prisma.$queryRaw<{ id: string }[]>`SELECT uuidv7() AS id`;
  for (const [index, message] of (await store(["a", "b", "c"], ["spam"])).entries()) {
    expect(await judgeOn(index, message)).toBe(false);
  }
  const [late] = await store(["late"], ["spam"], row?.id);
  expect(await judgeOn(0, late)).toBe(true);
  expect(await judgeOn(1, late)).toBe(true);
});

test("of messages stored and judged at the same moment by both processes, exactly the allowed number stays", async () => {
  const verdicts = await Promise.all(
    Array.from({ length: 30 }, async (_, index) => {
      const [message] = await store([`m${index}`], ["spam"]);
      return judgeOn(index, message);
    }),
  );
  expect(verdicts.filter((deleted) => !deleted)).toHaveLength(3);
  expect(await deletedContents()).toHaveLength(27);
});

test("without Redis the database alone decides, with the same verdicts", async () => {
  const messages = await store(["a", "b", "c", "d", "e", "e"], ["duplicate", "spam"]);
  await fixture.redisServer.stop();
  try {
    const verdicts = await Promise.all(messages.map((message, index) => judgeOn(index, message)));
    expect(verdicts).toEqual([false, false, false, true, true, true]);
  } finally {
    await fixture.redisServer.restart();
  }
});
