import { createClient, type ParleyClient, ParleyError } from "@parley/client";
import { type DescribedOperation, loadAnswerCheck, type SharedStack, sharedStack } from "@parley/testing";
import { beforeAll, expect, test } from "vitest";
import { pngPixel } from "../api/stages/sample-files.js";

const pngOfOnePixel = new Blob([pngPixel]);
let stack: SharedStack;
beforeAll(async () => {
  stack = await sharedStack();
});

/** A client that notes which methods of the API are called. */
function createNotingClient(
  called: Set<string>,
  { described, ...options }: { described: readonly DescribedOperation[]; botToken?: string },
): ParleyClient {
  // Single sign-on redirects to an address outside of the stack.
  const fetchOnce: typeof fetch = (url, init) => fetch(url, { ...init, redirect: "manual" });
  const client = createClient({ baseUrl: stack.edgeUrl, fetch: fetchOnce, ...options });
  const noting = (group: string, methods: object) =>
    new Proxy(methods, {
      get(target, member) {
        const send: unknown = Reflect.get(target, member);
        if (typeof send !== "function") return send;
        return (...values: unknown[]) => {
          called.add(`${group}.${String(member)}`);
          return Reflect.apply(send, undefined, values);
        };
      },
    });
  const groups = new Set(described.map((operation) => operation["x-client-method"].split(".")[0] ?? ""));
  const wrapped = [...groups].flatMap((group) => {
    const methods: unknown = Reflect.get(client, group);
    return typeof methods === "object" && methods !== null ? [[group, noting(group, methods)] as const] : [];
  });
  return Object.assign(client, Object.fromEntries(wrapped));
}

const name = (prefix: string) => `${prefix}_${crypto.randomUUID().slice(0, 8)}`;

test("every operation of the API has a method, and every method reaches its operation", async () => {
  const called = new Set<string>();
  const described = await describedOperations();
  const ann = createNotingClient(called, { described });
  const bob = createNotingClient(called, { described });
  const account = { username: name("ann"), password: "correct horse" };
  await ann.register(account);
  const bobUser = await bob.register({ username: name("bob"), password: "correct horse" });
  const carol = createNotingClient(called, { described });
  await carol.register({ username: name("carol"), password: "correct horse" });
  await carol.auth.register({ username: name("carol"), password: "correct horse" });
  await carol.auth.logout();
  expect((await ann.auth.login(account)).user.username).toBe(account.username);
  await ann.auth.refresh({ refresh_token: ann.tokens?.refreshToken ?? "" });

  const server = await ann.servers.create({ name: "Chess club", is_public: true });
  await bob.servers.join(server.id);
  expect((await ann.members.list(server.id)).length).toBe(2);
  await ann.members.count(server.id);
  await ann.members.get(server.id, bobUser.id);
  const channel = await ann.channels.create(server.id, { name: "general" });
  const lobby = await ann.channels.create(server.id, { name: "lobby", type: "voice" });
  await ann.channels.update(channel.id, { topic: "Openings" });
  expect((await bob.channels.list(server.id)).map(({ id }) => id)).toEqual([channel.id, lobby.id]);

  const message = await ann.messages.send(channel.id, { content: "Hello, members" });
  expect(await bob.messages.list(channel.id, { limit: 1 })).toMatchObject([{ id: message.id }]);
  await ann.messages.edit(message.id, { content: "Hello, dear members" });
  const reply = await bob.threads.reply(channel.id, message.id, { content: "Hello" });
  expect(reply.thread_id).toBe(message.id);
  await bob.threads.list(channel.id, message.id, { limit: 10 });
  await bob.reactions.add(channel.id, message.id, "👍");
  expect(await ann.reactions.list(channel.id, message.id)).toEqual([{ emoji: "👍", count: 1, me: false }]);
  await bob.reactions.remove(channel.id, message.id, "👍");
  await ann.pins.add(channel.id, message.id);
  expect(await bob.pins.list(channel.id)).toHaveLength(1);
  await ann.pins.remove(channel.id, message.id);
  const { poll } = await ann.polls.send(channel.id, { question: "Which?", options: ["e4", "d4"] });
  await bob.polls.vote(poll?.id ?? "", { option_id: poll?.options[0]?.id ?? "" });
  expect(await bob.polls.get(poll?.id ?? "")).toMatchObject({ total_votes: 1 });
  expect((await ann.messages.search(server.id, { q: "dear" })).total).toBe(1);

  const form = new FormData();
  form.append("files", pngOfOnePixel, "board.png");
  const [attachment] = await ann.attachments.upload(message.id, form);
  expect((await fetch(ann.resolve(attachment?.url ?? ""))).status).toBe(200);
  const emojiForm = new FormData();
  emojiForm.append("name", "king");
  emojiForm.append("image", pngOfOnePixel, "king.png");
  const emoji = await ann.emojis.create(server.id, emojiForm);
  expect((await ann.emojis.read(emoji.id)).size).toBe(pngOfOnePixel.size);
  await ann.emojis.delete(server.id, emoji.id);

  const role = await ann.roles.create(server.id, { name: "Helper" });
  await ann.roles.update(server.id, role.id, { name: "Arbiter" });
  await ann.roles.assign(server.id, bobUser.id, role.id);
  await ann.roles.unassign(server.id, bobUser.id, role.id);
  await ann.roles.delete(server.id, role.id);
  const override = await ann.overrides.put(channel.id, { user_id: bobUser.id, allow: 1, deny: 0 });
  await ann.overrides.delete(channel.id, override.id);
  const invite = await ann.invites.create(server.id, { max_uses: 1 });
  expect((await bob.invites.preview(invite.code)).server_name).toBe("Chess club");
  await ann.invites.revoke(server.id, invite.id);

  const direct = await ann.directMessages.open({ user_id: bobUser.id });
  await ann.directMessages.send(direct.id, { content: "Psst" });
  expect(await bob.directMessages.list(direct.id)).toHaveLength(1);
  await bob.directMessages.markRead(direct.id);

  await ann.automod.update(server.id, { enabled: true, word_filter_enabled: true });
  await ann.automod.addWord(server.id, { word: "blunder" });
  await expect(bob.messages.send(channel.id, { content: "a blunder" })).rejects.toThrow(
    "Message blocked by word filter",
  );
  await ann.automod.deleteWord(server.id, "blunder");
  await ann.moderation.timeout(server.id, bobUser.id, { duration_minutes: 1 });
  await ann.moderation.endTimeout(server.id, bobUser.id);

  const { bot, token } = await ann.bots.create({ name: "Helper" });
  const helper = createNotingClient(called, { described, botToken: token });
  expect((await helper.users.me()).id).toBe(bot.user_id);
  const { access_token } = await helper.bots.connect();
  expect(access_token).not.toBe("");
  await ann.bots.revoke(bot.id);
  const url = "http://127.0.0.1:9";
  const { webhook } = await ann.webhooks.create(server.id, { name: "Log", url, event_types: ["message.created"] });
  await ann.webhooks.test(server.id, webhook.id);
  await ann.webhooks.delete(server.id, webhook.id);
  await ann.moderation.kick(server.id, bobUser.id, {});
  await ann.moderation.ban(server.id, bobUser.id, { reason: "Cheating" });
  expect(await ann.moderation.bans(server.id)).toMatchObject([{ reason: "Cheating" }]);
  await ann.moderation.unban(server.id, bobUser.id);

  await callTheRest(ann, { called, described });
  const methods = described.map((operation) => operation["x-client-method"]);
  expect(methods.filter((method) => !called.has(method))).toEqual([]);
});

/** Calls every method that the story above leaves out: each gets an answer, be it that the thing does not exist. */
async function callTheRest(
  client: ParleyClient,
  { called, described }: { called: ReadonlySet<string>; described: readonly DescribedOperation[] },
): Promise<void> {
  for (const { method, path, "x-client-method": name } of described) {
    const operation = `${method} ${path}`;
    const [group = "", member = ""] = name.split(".");
    const send: unknown = Reflect.get(Object(Reflect.get(client, group)), member);
    if (typeof send !== "function" || called.has(name)) continue;
    const ids = [...path.matchAll(/\{\w+\}/g)].map(() => "0190a5b4-7c1d-7e3a-9f00-1b2c3d4e5f60");
    const answer: unknown = await Promise.resolve(Reflect.apply(send, undefined, [...ids, {}])).catch((error) => error);
    if (answer instanceof Error && !(answer instanceof ParleyError)) throw answer;
    const refusal = answer instanceof ParleyError ? answer : null;
    const found = [operation, refusal?.status === 0 || refusal?.status === 500, refusal?.code === "not_found"];
    // Metrics are for the same host only, which the edge is not.
    if (operation !== "GET /metrics") expect(found).toEqual([operation, false, false]);
  }
}

/** The operations of the served document; the longer forms of a path are left out. */
async function describedOperations(): Promise<DescribedOperation[]> {
  const { operations } = await loadAnswerCheck(stack.edgeUrl);
  return operations.filter(({ description }) => !description?.startsWith("The same endpoint as "));
}
