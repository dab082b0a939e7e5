import { Bot, errorBody as error } from "@parley/contracts";
import { createClient, sharedStack, type UserClient } from "@parley/testing";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";

const CreatedBot = z.object({ bot: Bot.strict() });
const WithSecret = Bot.extend({ interactions_secret: z.string().regex(/^[0-9a-f]{64}$/) }).strict();
const url = "https://bot.example.com/interactions";
const refusal = error("interactions_url must be an https:// URL of at most 2000 characters");

let ann: UserClient;
beforeAll(async () => {
  ann = await createClient((await sharedStack()).edgeUrl).register();
});

const createBot = async (owner = ann) => (await owner.post("/bots", { name: "Chess" })).expect(201, CreatedBot).bot;
const patch = (bot: Bot, changes: object, owner = ann) => owner.patch(`/bots/${bot.id}`, changes);
const set = async (bot: Bot, interactions_url = url) =>
  (await patch(bot, { interactions_url })).expect(200, WithSecret);
const read = async (bot: Bot) => (await ann.get(`/bots/${bot.id}`)).expect(200, Bot.strict());

test("a bot's URL is answered with a secret that nothing shows again, and each time that it is set with another one", async () => {
  const bot = await createBot();
  const { interactions_secret, ...changed } = await set(bot);
  const keys = { is_public: false, requested_permissions: 0 };
  expect(changed).toEqual({ ...bot, ...keys, interactions_url: url });
  expect(await read(bot)).toEqual(changed);
  expect((await patch(bot, { name: "Rook" })).expect(200, Bot.strict())).toEqual({ ...changed, name: "Rook" });
  expect((await set(bot)).interactions_secret).not.toBe(interactions_secret);
  const cleared = (await patch(bot, { interactions_url: null })).expect(200, Bot.strict());
  expect(cleared).toEqual({ ...bot, ...keys, name: "Rook", interactions_url: null });
  expect(await read(bot)).toEqual(cleared);
});

test("what others set of a bot stays when its URL is set", async () => {
  const bot = await createBot();
  await patch(bot, { is_public: true, requested_permissions: 3 });
  expect(await set(bot)).toMatchObject({ is_public: true, requested_permissions: 3 });
  expect((await ann.get(`/bots/${bot.id}/profile`)).body).not.toHaveProperty("interactions_url");
});

test("a URL that is none, or longer than 2000 characters, is refused", async () => {
  const bot = await createBot();
  for (const interactions_url of [
    "",
    "bot.example.com",
    "ftp://bot.example.com",
    1,
    "https://",
    `${url}?${"a".repeat(2_000)}`,
  ]) {
    const refused = await patch(bot, { interactions_url });
    expect([interactions_url, refused.status, refused.body]).toEqual([interactions_url, 400, refusal]);
  }
  expect(await read(bot)).toEqual(bot);
  const stranger = await createClient((await sharedStack()).edgeUrl).register();
  expect((await patch(bot, { interactions_url: url }, stranger)).body).toEqual(error("Bot not found"));
});

test("a revoked bot has no URL, and gets none", async () => {
  const bot = await createBot();
  await set(bot);
  (await ann.delete(`/bots/${bot.id}`)).expect(204, z.unknown());
  expect(await read(bot)).toMatchObject({ is_public: false, interactions_url: null });
  expect((await patch(bot, { interactions_url: url })).body).toEqual(error("Cannot update a revoked bot"));
  const other = await createBot();
  await ann.delete(`/bots/${other.id}`);
  expect(Object.keys(await read(other))).not.toContain("interactions_url");
});

test("a setting for development lets bots be asked without encryption, however the scheme is written", async () => {
  expect((await set(await createBot(), "HTTP://127.0.0.1/")).interactions_url).toBe("HTTP://127.0.0.1/");
});
