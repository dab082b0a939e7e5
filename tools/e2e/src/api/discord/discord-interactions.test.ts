import { postMessage } from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { connectWith } from "../stages/app-stage.js";
import { type AnswerStage, createAnswerStage } from "./discord-answer-stage.js";
import { type DiscordStage, snowflake } from "./discord-stage.js";

let stage: DiscordStage;
let commands: string;
let invoke: AnswerStage["invoke"];
beforeAll(async () => {
  ({ stage, commands, invoke } = await createAnswerStage());
});

const tag = {
  name: "tag",
  type: 1,
  description: "Tags",
  options: [
    {
      type: 1,
      name: "show",
      description: "Shows one",
      options: [{ type: 3, name: "name", description: "Which", required: true }],
    },
    {
      type: 2,
      name: "admin",
      description: "For admins",
      options: [{ type: 1, name: "drop", description: "Drops one" }],
    },
  ],
};

type Offered = { bots: { commands: { id: string; name: string }[] }[] };

describe("commands over Discord's API", () => {
  test("are registered with subcommands, and come back in their form", async () => {
    const { call, member, channelId, guildId } = stage;
    const stored = await call("PUT", commands, [tag, { name: "Report it", type: 3 }]);
    expect(stored).toMatchObject({ status: 200, body: [tag, { name: "Report it", type: 3, description: "" }] });
    const listed = (await call("GET", commands)).body;
    expect(listed[0]).toMatchObject(tag);
    expect(listed[1]).toMatchObject({ name: "Report it", type: 3 });
    const offered = (await member.get(`/channels/${channelId}/commands`)).body as {
      bots: { commands: { name: string }[] }[];
    };
    expect(offered.bots[0]?.commands.map(({ name }) => name).slice(0, 2)).toEqual(["tag-show", "tag-admin-drop"]);
    const ping = { name: "ping", description: "Answers" };
    expect((await call("POST", commands, { ...ping, name: "pong" })).status).toBe(201);
    expect((await call("POST", commands, ping)).status).toBe(201);
    expect((await call("POST", commands, ping)).status).toBe(200);
    const ofGuild = `/applications/${stage.applicationId}/guilds/${guildId}/commands`;
    expect((await call("PUT", ofGuild, [{ name: "local", description: "Here" }])).body).toMatchObject([
      { name: "local", guild_id: guildId },
    ]);
    expect((await call("GET", commands)).body.map(({ name }: { name: string }) => name)).toEqual(
      expect.not.arrayContaining(["local"]),
    );
    expect(await call("GET", `/applications/1/commands`)).toMatchObject({ status: 403, body: { code: 20012 } });
    expect(
      await call("POST", commands, { ...ping, options: [{ type: 11, name: "f", description: "F" }] }),
    ).toMatchObject({
      status: 400,
      body: { code: 50035 },
    });
  });

  test("of requests at once are all stored", async () => {
    const names = ["castle", "check", "draw", "mate", "resign"];
    const made = await Promise.all(names.map((name) => stage.call("POST", commands, { name, description: name })));
    expect(made.map(({ status }) => status)).toEqual(names.map(() => 201));
    const listed = (await stage.call("GET", commands)).body.map(({ name }: { name: string }) => name);
    expect(listed).toEqual(expect.arrayContaining(names));
  });

  test("of characters that nobody can store are refused", async () => {
    const { call, applicationId } = stage;
    for (const name_localizations of [{ de: "a\u0000" }, { de: "\ud800" }]) {
      const body = [{ name: "spiel", description: "Spielt", name_localizations }];
      expect(await call("PUT", `/applications/${applicationId}/commands`, body)).toMatchObject({
        status: 400,
        body: { code: 50035 },
      });
    }
  });

  test("keep their localizations, contexts and permissions", async () => {
    const { call } = stage;
    const kept = {
      name: "greet",
      description: "Greets",
      name_localizations: { de: "begrüssen" },
      description_localizations: { de: "Begrüsst" },
      contexts: [0],
      default_member_permissions: String(1 << 11),
      options: [{ type: 3, name: "how", description: "How", name_localizations: { de: "wie" } }],
    };
    const { id } = (await call("POST", commands, kept)).body;
    expect((await call("GET", `${commands}/${id}`)).body).toMatchObject(kept);
    const changed = { description_localizations: { de: "Sagt hallo" } };
    expect((await call("PATCH", `${commands}/${id}`, changed)).body).toMatchObject({ ...kept, ...changed, id });
    const named = { ...kept, ...changed, id, name: "hello" };
    expect((await call("PATCH", `${commands}/${id}`, { name: "hello" })).body).toMatchObject(named);
    expect((await call("GET", `${commands}/${id}`)).body).toMatchObject(named);
    const again = (await call("POST", commands, { name: "greet", description: "Greets" })).body;
    expect(BigInt(again.id)).not.toBe(BigInt(id));
  });

  test("are for administrators alone where their permissions are none, or none of ours", async () => {
    const { call, owner, member, channelId, bot } = stage;
    const manageThreads = String(2 ** 34);
    for (const [name, default_member_permissions] of Object.entries({ nobody: "0", threads: manageThreads })) {
      const made = await call("POST", commands, { name, description: "Closed", default_member_permissions });
      expect(made.body).toMatchObject({ name, default_member_permissions });
    }
    const offeredTo = async (who: DiscordStage["owner"] | DiscordStage["member"]) => {
      const { bots } = (await who.get(`/channels/${channelId}/commands`)).body as Offered;
      return bots.flatMap((each) => each.commands.filter(({ name }) => ["nobody", "threads"].includes(name)));
    };
    expect(await offeredTo(member)).toEqual([]);
    const offered = await offeredTo(owner);
    expect(offered.map(({ name }) => name)).toEqual(["nobody", "threads"]);
    for (const { id: command_id } of offered) {
      const asked = { bot_user_id: bot.userId, command_id, options: {} };
      expect((await member.post(`/channels/${channelId}/interactions`, asked)).status).toBe(404);
    }
  });

  test("of a server are offered there alone", async () => {
    const { call, owner, member, bot, channelId, serverId } = stage;
    const other = (await owner.post("/servers", { name: "Elsewhere", is_public: true })).body as { id: string };
    await owner.post(`/servers/${other.id}/bots`, { bot_id: bot.id, permissions: 3 });
    const made = await owner.post(`/servers/${other.id}/channels`, { name: "there" });
    const { id: otherChannel } = made.body as { id: string };
    const listOf = (id: string) => `/applications/${stage.applicationId}/guilds/${snowflake(id)}/commands`;
    const offeredIn = async (id: string) => {
      const { bots } = (await owner.get(`/channels/${id}/commands`)).body as Offered;
      return bots.flatMap((each) => each.commands.map(({ name }) => name));
    };
    const both = { name: "both", description: "In each" };
    expect((await call("PUT", listOf(serverId), [{ name: "here", description: "Here" }, both])).status).toBe(200);
    expect((await call("PUT", listOf(other.id), [both])).body).toMatchObject([
      { ...both, guild_id: snowflake(other.id) },
    ]);
    expect(await offeredIn(channelId)).toEqual(expect.arrayContaining(["here", "both"]));
    const there = await offeredIn(otherChannel);
    expect([there.includes("here"), there.includes("both")]).toEqual([false, true]);
    const { bots } = (await owner.get(`/channels/${channelId}/commands`)).body as Offered;
    const command_id = bots.flatMap((each) => each.commands).find(({ name }) => name === "here")?.id;
    const asked = { bot_user_id: bot.userId, command_id, options: {} };
    expect((await owner.post(`/channels/${otherChannel}/interactions`, asked)).status).toBe(404);
    expect((await member.post(`/channels/${channelId}/interactions`, asked)).status).toBe(202);
    expect((await call("PUT", listOf(serverId), [])).body).toEqual([]);
    expect((await call("GET", listOf(other.id))).body).toMatchObject([both]);
    expect((await offeredIn(channelId)).filter((name) => ["here", "both"].includes(name))).toEqual([]);
  });
});

describe("answers over Discord's API", () => {
  test("an answer, its change, a follow-up and the end of both", async () => {
    const { callOpen } = stage;
    const { callback, answers } = await invoke("ping");
    const answered = await callOpen("POST", `${callback}?with_response=true`, { type: 4, data: { content: "pong" } });
    expect(answered).toMatchObject({ status: 200, body: { resource: { type: 4, message: { content: "pong" } } } });
    expect(await callOpen("POST", callback, { type: 4, data: { content: "again" } })).toMatchObject({
      status: 400,
      body: { code: 40060 },
    });
    const followed = await callOpen("POST", answers, { content: "more" });
    expect(followed).toMatchObject({ status: 200, body: { content: "more" } });
    const changed = await callOpen("PATCH", `${answers}/messages/@original`, { content: "PONG" });
    expect(changed).toMatchObject({ status: 200, body: { content: "PONG", id: answered.body.resource.message.id } });
    expect((await callOpen("GET", `${answers}/messages/@original`)).body).toMatchObject({ content: "PONG" });
    expect((await callOpen("DELETE", `${answers}/messages/${followed.body.id}`)).status).toBe(204);
    expect((await callOpen("DELETE", `${answers}/messages/@original`)).status).toBe(204);
  });

  test("one that is deferred is completed, also for the invoker alone", async () => {
    const { callOpen } = stage;
    const loud = await invoke("ping");
    expect((await callOpen("POST", loud.callback, { type: 5 })).status).toBe(204);
    expect(await callOpen("PATCH", `${loud.answers}/messages/@original`, { content: "late" })).toMatchObject({
      status: 200,
      body: { content: "late" },
    });
    const quiet = await invoke("ping");
    expect((await callOpen("POST", quiet.callback, { type: 4, data: { content: "hush", flags: 64 } })).status).toBe(
      204,
    );
    expect((await callOpen("GET", `${quiet.answers}/messages/@original`)).body).toMatchObject({
      content: "hush",
      flags: 64,
    });
    const original = `${quiet.answers}/messages/@original`;
    const { id } = (await callOpen("GET", original)).body;
    expect((await callOpen("PATCH", original, { content: "hush!" })).body).toMatchObject({ id, content: "hush!" });
    const unknown = { status: 404, body: { code: 10008 } };
    const invoker = await connectWith(stage.stack.edgeUrl, `token=${stage.member.accessToken}`);
    expect((await callOpen("DELETE", original)).status).toBe(204);
    const gone = await invoker.waitFor("INTERACTION_UPDATE", ({ message }) => message?.deleted === true);
    expect(gone).toMatchObject({ id: quiet.interaction.id, message: { ephemeral: true } });
    for (const method of ["GET", "DELETE"]) expect(await callOpen(method, original)).toMatchObject(unknown);
    expect(await callOpen("GET", `${quiet.answers}/messages/${id}`)).toMatchObject(unknown);
    await invoker.close();
  });

  test("a token opens the answers to its interaction, and no other message of the channel", async () => {
    const { call, callOpen, textChannelId } = stage;
    const { callback, answers } = await invoke("ping");
    const others = await invoke("ping");
    expect((await callOpen("POST", others.callback, { type: 4, data: { content: "theirs" } })).status).toBe(204);
    expect((await callOpen("POST", callback, { type: 4, data: { content: "own" } })).status).toBe(204);
    const foreign = [
      snowflake((await postMessage(stage.member, stage.channelId, "of a person")).id),
      (await call("POST", `/channels/${textChannelId}/messages`, { content: "of the bot" })).body.id,
      (await callOpen("GET", `${others.answers}/messages/@original`)).body.id,
    ];
    for (const id of foreign) {
      const path = `${answers}/messages/${id}`;
      const unknown = { status: 404, body: { code: 10008 } };
      expect(await callOpen("GET", path)).toMatchObject(unknown);
      expect(await callOpen("PATCH", path, { content: "taken" })).toMatchObject(unknown);
      expect(await callOpen("DELETE", path)).toMatchObject(unknown);
    }
    const { id } = (await callOpen("GET", `${answers}/messages/@original`)).body;
    expect((await callOpen("PATCH", `${answers}/messages/${id}`, { content: "changed" })).body).toMatchObject({
      id,
      content: "changed",
    });
    expect((await callOpen("DELETE", `${answers}/messages/${id}`)).status).toBe(204);
  });

  test("a wrong token is refused", async () => {
    const { answers } = await invoke("ping");
    const wrong = answers.replace(/\/[0-9a-f]{64}/, `/${"0".repeat(64)}`);
    expect(await stage.callOpen("POST", wrong, { content: "x" })).toMatchObject({ status: 401, body: { code: 50027 } });
  });
});
