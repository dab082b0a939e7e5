import { Message } from "@parley/contracts";
import {
  connectGateway,
  createClient,
  listMessages,
  type MortalStack,
  postMessage,
  type RestClient,
  type UserClient,
  useMortalStack,
  waitUntil,
} from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { createGuardedServer, passed } from "../stages/automod-stage.js";

const mortal = useMortalStack();
let stack: MortalStack;
let client: RestClient;

beforeAll(async () => {
  // The contract's half second, and not the patience of other tests.
  ({ stack } = mortal);
  const api = await stack.startApi({ env: { AUTOMOD_TIMEOUT_MS: "500" } });
  client = createClient(api.url);
});

/** Runs work while no automod process lives, and has them back afterwards. */
async function whileAutomodIsDead(work: () => Promise<void>): Promise<void> {
  await Promise.all(stack.automods.map((automod) => automod.kill()));
  try {
    await work();
  } finally {
    await Promise.all(stack.automods.map((automod) => automod.restart()));
  }
}

/** The remaining messages of the channel, oldest first. */
const contents = async (reader: UserClient, channelId: string) =>
  (await listMessages(reader, channelId)).map(({ content }) => content).reverse();

describe("without automod", () => {
  test("messages pass, and whatever a rule would have blocked is deleted, logged and acted upon later", async () => {
    const rules = { word_filter_enabled: true, duplicate_enabled: true, spam_enabled: true };
    const settings = { ...rules, spam_max_messages: 6, spam_window_secs: 60, word_filter_action: "timeout" };
    const { send, owner, author, channel, logs, path } = await createGuardedServer(client, settings, ["bad"]);
    const watcher = connectGateway(stack.edgeUrl, owner.accessToken);
    await watcher.ready;
    await whileAutomodIsDead(async () => {
      for (const content of ["one", "one", "a bad one", "two", "\u200b", "\u200b", "three"]) {
        expect(await send(content)).toEqual(passed);
      }
      const question = { question: "What?", options: ["good", "bad"] };
      expect((await owner.post(`/channels/${channel.id}/polls`, question)).status).toBe(201);
      // Only words that were filtered when a message was sent would have stopped it.
      expect((await owner.post(`${path}/words`, { word: "two" })).status).toBe(201);
    });
    await waitUntil(async () => (await logs()).length === 4, { what: "the late verdicts" });
    expect(await contents(owner, channel.id)).toEqual(["one", "two", "\u200b", "\u200b"]);
    const entries = (await logs()).map(({ rule_type, message_content, matched_term, action_taken }) => [
      rule_type,
      message_content,
      matched_term,
      action_taken,
    ]);
    expect(entries.sort()).toEqual([
      ["duplicate", "one", null, "delete"],
      ["spam", "three", null, "delete"],
      ["word_filter", "a bad one", "bad", "timeout"],
      ["word_filter", "bad", "bad", "timeout"],
    ]);
    expect((await send("next"))[0]).toBe(403);
    const barrier = connectGateway(stack.edgeUrl, author.accessToken);
    await barrier.ready;
    await waitUntil(() => watcher.events.filter(({ name }) => name === "MESSAGE_DELETE").length === 4);
    for (const socket of [watcher, barrier]) socket.terminate();
  });

  test("an edit passes and is judged later, by the word filter alone", async () => {
    const settings = { word_filter_enabled: true, duplicate_enabled: true };
    const { owner, author, channel, logs } = await createGuardedServer(client, settings, ["bad"]);
    const [first, second] = [await postMessage(author, channel.id, "a"), await postMessage(author, channel.id, "b")];
    await whileAutomodIsDead(async () => {
      (await author.patch(`/messages/${first.id}`, { content: "bad" })).expect(200, Message);
      (await author.patch(`/messages/${second.id}`, { content: "a" })).expect(200, Message);
    });
    await waitUntil(async () => (await logs()).length > 0);
    expect(await logs()).toMatchObject([{ rule_type: "word_filter", message_content: "bad" }]);
    expect(await contents(owner, channel.id)).toEqual(["a"]);
  });

  test("a rule that the owner switched off meanwhile does not judge", async () => {
    const scene = await createGuardedServer(client, { word_filter_enabled: true }, ["bad"]);
    const other = await createGuardedServer(client, { word_filter_enabled: true }, ["bad"]);
    await whileAutomodIsDead(async () => {
      for (const { send } of [scene, other]) expect(await send("bad")).toEqual(passed);
      expect((await scene.owner.patch(scene.path, { enabled: false })).status).toBe(200);
    });
    await waitUntil(async () => (await other.logs()).length === 1);
    expect(await contents(scene.owner, scene.channel.id)).toEqual(["bad"]);
    expect(await scene.logs()).toEqual([]);
  });
});

test("while automod is suspended, messages wait half a second and are judged when automod goes on", async () => {
  const settings = { word_filter_enabled: true, spam_enabled: true };
  const { send, owner, channel, logs } = await createGuardedServer(client, settings, ["bad"]);
  const breaking = ["bad", "bad again", "very bad"];
  for (const automod of stack.automods) automod.pause();
  try {
    const times = [];
    for (const content of breaking) {
      const startedAt = performance.now();
      expect(await send(content)).toEqual(passed);
      times.push(performance.now() - startedAt);
    }
    // The least, because a busy machine only adds to it.
    expect(Math.min(...times)).toBeGreaterThan(450);
  } finally {
    for (const automod of stack.automods) automod.resume();
  }
  // The checks come to their verdicts as well, after their time: still there is one entry each.
  await waitUntil(async () => (await contents(owner, channel.id)).length === 0);
  expect((await logs()).map(({ message_content }) => message_content).sort()).toEqual(breaking);
});
