import { type EquippedStack, sharedStackWithDiscord, waitUntil } from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { type AppStage, createAppStage } from "../stages/app-stage.js";

let stack: EquippedStack;
let stage: AppStage;

beforeAll(async () => {
  stack = await sharedStackWithDiscord();
  stage = await createAppStage(stack.edgeUrl, []);
});

const ask = (path: string, authorization?: string) =>
  fetch(`${stack.edgeUrl}/discord/api/v10${path}`, authorization === undefined ? {} : { headers: { authorization } });

describe("Discord's API", () => {
  test("returns the address of its gateway, without a query, as JSON without a parameter", async () => {
    const answer = await ask("/gateway");
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(await answer.json()).toEqual({ url: `${stack.edgeUrl.replace("http", "ws")}/discord/gateway/` });
  });

  test("returns the number of shards to a bot, and to nobody else", async () => {
    const answer = await ask("/gateway/bot", `Bot ${stage.bot.token}`);
    expect(await answer.json()).toMatchObject({ shards: 1, session_start_limit: { max_concurrency: 1 } });
    for (const wrong of [undefined, "Bot wrong", `Bearer ${stage.bot.token}`, `Bot MQ.x.${stage.bot.token}`]) {
      const refused = await ask("/gateway/bot", wrong);
      expect([refused.status, await refused.json()]).toEqual([401, { message: "401: Unauthorized", code: 0 }]);
    }
  });

  test("does not know other routes", async () => {
    const answer = await ask("/soundboard-of-nobody");
    expect([answer.status, await answer.json()]).toEqual([404, { message: "404: Not Found", code: 0 }]);
  });

  test("shows the owner of a bot the routes that it asked for in vain, each once", async () => {
    const { owner, bot } = stage;
    for (let time = 0; time < 2; time++) await ask("/guilds/1/lobbies?x=1", `Bot ${bot.token}`);
    const read = async () => {
      const { logs } = (await owner.get(`/bots/${bot.id}/logs`)).body as { logs: { event: string; detail: string }[] };
      const missing = logs.filter(({ event }) => event === "route_missing");
      return missing.length > 0 && missing.map(({ detail }) => detail);
    };
    const shown = await waitUntil(read, { what: "an entry of the bot's log" });
    expect(shown).toEqual(["GET /guilds/1/lobbies is not served"]);
  });
});
