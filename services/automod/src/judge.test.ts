import { crc32 } from "node:zlib";
import type { AutomodEvidence } from "@parley/contracts";
import { waitUntil } from "@parley/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  type AutomodFixture,
  describeCheck,
  type Scene,
  startAutomodFixture,
  storeMessage,
} from "./automod-fixture.js";
import type { EarlyVerdict } from "./judge.js";
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

const nothing: AutomodEvidence = { recent_texts: [], recent_messages: 0 };
const messages = (count: number): AutomodEvidence => ({ recent_texts: [], recent_messages: count });
const check = (number: number, content: string, evidence: AutomodEvidence, ageMs?: number) =>
  fixture.instance(number).judge.beforeStoring(describeCheck(scene, content, evidence, ageMs));
/** As the api goes on after a verdict that lets the message pass; returns whether it was deleted. */
const store = async (number: number, content: string, { rulesAfter: rules, ticket }: EarlyVerdict) => {
  const stored = await storeMessage(fixture, scene, { content, rules, ticket });
  const { judge, judgeStored } = fixture.instance(number);
  if (ticket !== null) await judge.release(ticket, stored.message_id);
  return rules.length > 0 && judgeStored(stored, sentAtMs(stored.message_id), "after");
};
const ruleOf = ({ match }: EarlyVerdict) => match?.rule ?? null;

describe("the spam rule", () => {
  test("a message that is certainly none is not judged again; one that may be is", async () => {
    expect((await check(0, "a", messages(2))).rulesAfter).toEqual([]);
    // The first is under way, so this may be the fourth.
    expect((await check(1, "b", messages(2))).rulesAfter).toEqual(["spam"]);
  });

  test.each([
    ["missing", { recent_texts: null, recent_messages: null }, 0],
    ["more than a second old", nothing, 1_001],
  ])("evidence that is %s approves nothing", async (_name, evidence, ageMs) => {
    expect((await check(0, "a", evidence, ageMs)).rulesAfter).toEqual(["spam"]);
  });

  test("an approved message counts before one that is stored earlier but came later", async () => {
    for (const content of ["a", "b"]) await store(0, content, await check(0, content, nothing));
    const approved = await check(0, "third", messages(0));
    expect(approved.rulesAfter).toEqual([]);
    const fourth = await check(1, "fourth", messages(2));
    const judging = store(1, "fourth", fourth);
    const isStored = async () => (await fixture.database.prisma.message.count({ where: { content: "fourth" } })) === 1;
    await waitUntil(isStored, { what: "the fourth to be stored" });
    expect(await store(0, "third", approved)).toBe(false);
    expect(await judging).toBe(true);
  });

  test("an approved message that is never stored does not count", async () => {
    const { ticket } = await check(0, "given up", nothing);
    for (const content of ["a", "b"]) await store(0, content, await check(0, content, nothing));
    const third = await check(1, "c", messages(2));
    expect(third.rulesAfter).toEqual(["spam"]);
    await fixture.instance(1).judge.release(ticket ?? "", null);
    expect(await store(1, "c", third)).toBe(false);
  });

  test("of messages at the same moment in both processes, exactly the allowed number stays", async () => {
    const deleted = await Promise.all(
      Array.from({ length: 30 }, async (_, index) =>
        store(index, `m${index}`, await check(index, `m${index}`, nothing)),
      ),
    );
    expect(deleted.filter((isDeleted) => !isDeleted)).toHaveLength(3);
  });
});

describe("the duplicate rule", () => {
  test("a text that was stored after the evidence was read is found all the same", async () => {
    await store(0, "same", await check(0, "same", nothing));
    expect(ruleOf(await check(1, "same", nothing))).toBe("duplicate");
    expect(ruleOf(await check(0, "same", nothing))).toBe("duplicate");
  });

  test("a text waits for an identical one, and passes when that is given up", async () => {
    const first = await check(0, "same", nothing);
    const second = check(1, "same", nothing);
    await fixture.instance(0).judge.release(first.ticket ?? "", null);
    expect(ruleOf(await second)).toBeNull();
  });

  test.each([
    ["holds the text", { recent_texts: [crc32("same")], recent_messages: 1 }, 0],
    ["is missing", { recent_texts: null, recent_messages: null }, 0],
    ["is more than a second old", nothing, 1_001],
  ])("where the evidence %s, the database is asked", async (_name, evidence, ageMs) => {
    expect(ruleOf(await check(0, "same", evidence, ageMs))).toBeNull();
    scene = await fixture.createScene();
    await storeMessage(fixture, scene, { content: "same", rules: [] });
    expect(ruleOf(await check(0, "same", evidence, ageMs))).toBe("duplicate");
  });

  test("another text with the same checksum is none", async () => {
    expect(crc32("plumless")).toBe(crc32("buckeroo"));
    await storeMessage(fixture, scene, { content: "plumless", rules: [] });
    const evidence = { recent_texts: [crc32("plumless")], recent_messages: 1 };
    expect(ruleOf(await check(0, "buckeroo", evidence))).toBeNull();
  });
});

test("without Redis the database alone decides before storing, and spam is judged after", async () => {
  await storeMessage(fixture, scene, { content: "same", rules: [] });
  await fixture.redisServer.stop();
  try {
    expect(ruleOf(await check(0, "same", nothing))).toBe("duplicate");
    expect(await check(1, "other", nothing)).toEqual({ match: null, rulesAfter: ["spam"], ticket: null });
  } finally {
    await fixture.redisServer.restart();
  }
});
