import { randomUUID } from "node:crypto";
import { AutomodConfig, AutomodWord, errorBody as error } from "@parley/contracts";
import {
  createClient,
  createServer,
  createServerWithMembers,
  type RestClient,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

let stack: SharedStack;
let client: RestClient;
let owner: UserClient;
let member: UserClient;
let stranger: UserClient;
let path: string;

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl);
  const fixture = await createServerWithMembers(client, 1);
  const [first] = fixture.members;
  [owner, member] = [fixture.owner, first];
  path = `/servers/${fixture.server.id}/automod`;
  stranger = await client.register();
});

const words = async (of = path) => (await owner.get(`${of}/words`)).expect(200, z.array(AutomodWord.strict()));
const newServer = async () => `/servers/${(await createServer(owner)).id}/automod`;

describe("the configuration of auto-moderation", () => {
  test("the configuration of auto-moderation is created with defaults by the first change, also by several at once, and missing before", async () => {
    const missing = await owner.get(path);
    expect([missing.status, missing.body]).toEqual([404, error("No automod configuration")]);
    const created = await Promise.all(Array.from({ length: 6 }, () => owner.patch(path, {})));
    const [config] = created.map((answer) => answer.expect(200, AutomodConfig.strict()));
    expect(config).toEqual({
      server_id: path.split("/")[2],
      enabled: false,
      spam_enabled: false,
      spam_max_messages: 5,
      spam_window_secs: 5,
      spam_action: "delete",
      duplicate_enabled: false,
      word_filter_enabled: false,
      word_filter_action: "delete",
      timeout_minutes: 10,
      updated_at: expect.any(String),
    });
  });

  test("changes field by field; null leaves a field as it is; every change renews updated_at", async () => {
    const of = await newServer();
    const changes = {
      enabled: true,
      spam_enabled: true,
      spam_max_messages: 50,
      spam_window_secs: 60,
      spam_action: "ban",
      duplicate_enabled: true,
      word_filter_enabled: true,
      word_filter_action: "kick",
      timeout_minutes: 10080,
    };
    const first = (await owner.patch(of, changes)).expect(200, AutomodConfig);
    expect(first).toMatchObject(changes);
    const second = (await owner.patch(`/api${of}`, { enabled: null, spam_max_messages: 1 })).expect(200, AutomodConfig);
    expect(second).toEqual({ ...first, spam_max_messages: 1, updated_at: second.updated_at });
    expect(Date.parse(second.updated_at)).toBeGreaterThan(Date.parse(first.updated_at));
    expect((await owner.get(of)).expect(200, AutomodConfig)).toEqual(second);
  });

  test.each([
    [{ spam_action: "warn" }, "action must be delete, timeout, kick, or ban"],
    [{ word_filter_action: 1 }, "action must be delete, timeout, kick, or ban"],
    [{ spam_max_messages: 0 }, "spam_max_messages must be between 1 and 50"],
    [{ spam_max_messages: 51 }, "spam_max_messages must be between 1 and 50"],
    [{ spam_max_messages: 1.5 }, "spam_max_messages must be between 1 and 50"],
    [{ spam_window_secs: 0 }, "spam_window_secs must be between 1 and 60"],
    [{ spam_window_secs: 61 }, "spam_window_secs must be between 1 and 60"],
    [{ timeout_minutes: 0 }, "timeout_minutes must be between 1 and 10080"],
    [{ timeout_minutes: 10081 }, "timeout_minutes must be between 1 and 10080"],
    [{ timeout_minutes: "5" }, "timeout_minutes must be between 1 and 10080"],
    [{ enabled: "yes" }, "enabled must be a boolean"],
  ])("the configuration of auto-moderation refuses %j", async (body, text) => {
    const answer = await owner.patch(path, body);
    expect([answer.status, answer.body]).toEqual([400, error(text)]);
  });
});

describe("filtered words", () => {
  test("filtered words are trimmed, lower-cased, listed in the order of insertion, and kept once", async () => {
    const of = await newServer();
    const added = [];
    for (const word of ["  Zebra ", "apple", "ПЛОХО", "😀😁", "two words", "ß/%?#"]) {
      added.push((await owner.post(`${of}/words`, { word })).expect(201, AutomodWord.strict()));
    }
    expect(added.map(({ word }) => word)).toEqual(["zebra", "apple", "плохо", "😀😁", "two words", "ß/%?#"]);
    expect(added[0]).toMatchObject({ server_id: of.split("/")[2], created_by: owner.user.id });
    expect((await owner.post(`${of}/words`, { word: "ZEBRA" })).expect(201, AutomodWord)).toEqual(added[0]);
    expect(await words(of)).toEqual(added);
    for (const word of [" Zebra", "ПЛОХО", "😀😁", "two words", "ß/%?#", "absent", "\u0000"]) {
      expect((await owner.delete(`${of}/words/${encodeURIComponent(word)}`)).status).toBe(204);
    }
    expect((await words(of)).map(({ word }) => word)).toEqual(["apple"]);
  });

  test("filtered words that are added at the same moment are one entry", async () => {
    const of = await newServer();
    const answers = await Promise.all(Array.from({ length: 10 }, () => owner.post(`${of}/words`, { word: "same" })));
    const ids = answers.map((answer) => answer.expect(201, AutomodWord).id);
    expect(new Set(ids).size).toBe(1);
    expect(await words(of)).toHaveLength(1);
  });

  test("filtered words are 1 to 100 code points long", async () => {
    const of = await newServer();
    (await owner.post(`${of}/words`, { word: "😀".repeat(100) })).expect(201, AutomodWord);
    for (const [word, text] of [
      ["", "word cannot be empty"],
      [" \n\t ", "word cannot be empty"],
      [undefined, "word cannot be empty"],
      [7, "word cannot be empty"],
      ["x".repeat(101), "word must be at most 100 characters"],
      ["a\u0000b", "word must be at most 100 characters"],
    ] as const) {
      const answer = await owner.post(`${of}/words`, { word });
      expect([answer.status, answer.body]).toEqual([400, error(text)]);
    }
  });
});

test("only the owner may manage auto-moderation, members and strangers are refused alike", async () => {
  const calls = (by: UserClient, of: string) => [
    by.get(of),
    by.patch(of, {}),
    by.get(`${of}/words`),
    by.post(`${of}/words`, { word: "x" }),
    by.delete(`${of}/words/x`),
    by.get(`${of}/logs`),
  ];
  for (const by of [member, stranger]) {
    for (const { status, body } of await Promise.all(calls(by, path))) {
      expect([status, body]).toEqual([403, error("Only the server owner can manage automod")]);
    }
  }
  for (const { status, body } of await Promise.all(calls(owner, `/servers/${randomUUID()}/automod`))) {
    expect([status, body]).toEqual([404, error("Server not found")]);
  }
});
