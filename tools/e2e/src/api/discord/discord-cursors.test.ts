import { postMessage } from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { createDiscordStage, type DiscordStage, snowflake } from "./discord-stage.js";

let stage: DiscordStage;
beforeAll(async () => {
  stage = await createDiscordStage();
});

/** Snowflakes beside one, which no object has. */
const below = (id: string) => BigInt(id) - 1n;
const above = (id: string) => BigInt(id) + 1n;
const byId = (a: string, b: string) => (BigInt(a) < BigInt(b) ? -1 : 1);

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

  test("members come in the order of their ids, also after somebody who has left", async () => {
    const { call, guildId, serverId, owner, member, memberId, applicationId } = await createDiscordStage();
    const all = [snowflake(owner.user.id), memberId, applicationId].sort(byId);
    const list = async (query: string) =>
      (await call("GET", `/guilds/${guildId}/members?${query}`)).body.map(
        ({ user }: { user: { id: string } }) => user.id,
      );
    expect(await list("limit=2")).toEqual(all.slice(0, 2));
    expect(await list(`limit=5&after=${all[1]}`)).toEqual(all.slice(2));
    expect(await list(`limit=5&after=${above(all[0] ?? "")}`)).toEqual(all.slice(1));
    expect(await list(`limit=5&after=${above(all[2] ?? "")}`)).toEqual([]);
    expect((await member.delete(`/servers/${serverId}/leave`)).status).toBe(204);
    const left = all.filter((id) => id !== memberId);
    expect(await list(`limit=5&after=${memberId}`)).toEqual(left.filter((id) => BigInt(id) > BigInt(memberId)));
    expect(await call("GET", `/guilds/${guildId}/members?after=x`)).toMatchObject({
      status: 400,
      body: { code: 50035 },
    });
  });

  test("those who reacted come in the order of their ids", async () => {
    const { call, channelId, textChannelId, owner, member, memberId, applicationId } = stage;
    const { id } = await postMessage(member, channelId, "React");
    const emoji = encodeURIComponent("👍");
    const path = `/channels/${textChannelId}/messages/${snowflake(id)}/reactions/${emoji}`;
    expect((await call("PUT", `${path}/@me`)).status).toBe(204);
    for (const user of [member, owner]) await user.put(`/channels/${channelId}/messages/${id}/reactions/${emoji}`);
    const all = [snowflake(owner.user.id), memberId, applicationId].sort(byId);
    const list = async (query: string) =>
      (await call("GET", `${path}?${query}`)).body.map((user: { id: string }) => user.id);
    expect(await list("")).toEqual(all);
    expect(await list("limit=1")).toEqual(all.slice(0, 1));
    expect(await list(`after=${all[0]}`)).toEqual(all.slice(1));
    expect(await list(`limit=1&after=${above(all[0] ?? "")}`)).toEqual(all.slice(1, 2));
    expect(await list(`after=${above(all[2] ?? "")}`)).toEqual([]);
  });

  test("the log is read back from an entry, and forward after one", async () => {
    const { call, guildId, serverId, owner, bot } = await createDiscordStage();
    const clerk = await owner.post(`/servers/${serverId}/roles`, { name: "Clerk", rights: ["view_audit_log"] });
    const { id } = clerk.body as { id: string };
    await owner.put(`/servers/${serverId}/members/${bot.userId}/roles/${id}`);
    // Kinds of entries that Discord has not take no place.
    await owner.patch(`/servers/${serverId}/automod`, { enabled: true });
    for (const name of ["A", "B", "C"]) await owner.post(`/servers/${serverId}/roles`, { name });
    const list = async (query: string) =>
      (await call("GET", `/guilds/${guildId}/audit-logs?${query}`)).body.audit_log_entries.map(
        (entry: { id: string }) => entry.id,
      );
    const [c, b, a, ...older]: string[] = await list("action_type=30");
    expect(older).toHaveLength(2);
    expect(await list("limit=3")).toEqual([c, b, a]);
    expect((await list("limit=4")).length).toBe(4);
    expect(await list(`action_type=30&before=${b}`)).toEqual([a, ...older]);
    expect(await list(`limit=1&before=${b}`)).toEqual([a]);
    expect(await list(`after=${a}`)).toEqual([b, c]);
    expect(await list(`limit=1&after=${a}`)).toEqual([b]);
    expect(await list(`after=${above(c ?? "")}`)).toEqual([]);
    expect(await list(`action_type=30&after=0`)).toEqual([...older.toReversed(), a, b, c]);
    expect(await list(`after=${a}&user_id=${snowflake(bot.userId)}`)).toEqual([]);
  });
});
