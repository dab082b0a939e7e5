import { beforeAll, describe, expect, test } from "vitest";
import { createDiscordStage, type DiscordStage } from "./discord-stage.js";

let stage: DiscordStage;
beforeAll(async () => {
  stage = await createDiscordStage();
});

/** Snowflakes beside one, which no object has. */
const below = (id: string) => BigInt(id) - 1n;
const above = (id: string) => BigInt(id) + 1n;

describe("cursors of Discord's API, also without an object", () => {
  test("a thread's history has the replies before, after and around a snowflake", async () => {
    const { call, textChannelId } = stage;
    const root = (await call("POST", `/channels/${textChannelId}/messages`, { content: "Plans" })).body;
    const replies = `/channels/${root.id}/messages`;
    const ids: string[] = [];
    for (const content of ["1", "2", "3", "4", "5"]) ids.push((await call("POST", replies, { content })).body.id);
    const [first, second, third, , fifth] = ids as [string, string, string, string, string];
    const list = async (query: string) =>
      (await call("GET", `${replies}?${query}`)).body.map(({ content }: { content: string }) => content).join("");
    const cases = [
      ["", "54321"],
      ["limit=2", "54"],
      [`before=${third}`, "21"],
      [`before=${first}`, ""],
      [`limit=2&before=${fifth}`, "43"],
      [`limit=2&before=${above(third)}`, "32"],
      [`limit=2&before=${second}`, "1"],
      [`limit=2&after=${second}`, "43"],
      [`after=${below(fifth)}`, "5"],
      [`limit=1&around=${third}`, "3"],
      [`limit=3&around=${third}`, "432"],
      [`limit=1&around=${above(third)}`, "4"],
      ["limit=2&around=0", "21"],
    ] as const;
    for (const [query, found] of cases) expect([query, await list(query)]).toEqual([query, found]);
  });
});
