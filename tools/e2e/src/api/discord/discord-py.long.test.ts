import { execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { discordToken, InteractionState } from "@parley/contracts";
import { postMessage, type StackWithDiscord, sharedStackWithDiscord, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AppStage, Begun, createAppStage } from "../stages/app-stage.js";

/** Debian's, whose package python3-discord has discord.py. */
const python = "/usr/bin/python3";
const hasDiscordPy = (() => {
  try {
    execFileSync(python, ["-c", "import discord"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

if (!hasDiscordPy) {
  process.stdout.write("The bot of discord.py is left out: install Debian's package python3-discord to run it.\n");
}

interface Line {
  readonly what: string;
  readonly members?: number;
  readonly text?: string;
}

let stack: StackWithDiscord;
let stage: AppStage;
let stop = () => {};
const lines: Line[] = [];

describe.runIf(hasDiscordPy)("an unmodified bot of discord.py 2", () => {
  beforeAll(async () => {
    stack = await sharedStackWithDiscord();
    stage = await createAppStage(stack.edgeUrl, []);
    const TOKEN = discordToken(stage.bot.userId, stage.bot.token);
    const bot = spawn(python, [join(import.meta.dirname, "discord-py-bot.py")], {
      env: { PATH: process.env.PATH, INSTALLATION: stack.edgeUrl, TOKEN },
      stdio: ["ignore", "pipe", "inherit"],
    });
    stop = () => bot.kill();
    createInterface(bot.stdout).on("line", (line) => lines.push(JSON.parse(line) as Line));
    await heard("ready");
  });
  afterAll(() => stop());

  const heard = (what: string) =>
    waitUntil(() => lines.find((line) => line.what === what), { what: `${what} of the bot` });
  const messageOf = (isIt: (message: { content: string; id: string }) => boolean) =>
    waitUntil(
      async () => {
        const { body } = await stage.owner.get(`/channels/${stage.channelId}/messages?limit=50&include=author`);
        return (body as { content: string; id: string; embeds?: { title: string }[] }[]).find(isIt);
      },
      { what: "a message of the bot" },
    );
  /** A member uses something of the bot; resolves with the state after the answer. */
  const use = async (fields: object) => {
    const body = { bot_user_id: stage.bot.userId, ...fields };
    const { id } = (await stage.member.post(`/channels/${stage.channelId}/interactions`, body)).expect(202, Begun);
    return waitUntil(
      async () => {
        const state = (await stage.member.get(`/interactions/${id}`)).expect(200, InteractionState);
        return state.state !== "pending" && state;
      },
      { what: "an answer of the bot" },
    );
  };
  const commandOf = async (name: RegExp) => {
    const { body } = await stage.member.get(`/channels/${stage.channelId}/commands`);
    const { bots } = body as { bots: { commands: { id: string; name: string }[] }[] };
    return bots.flatMap((bot) => bot.commands).find((each) => name.test(each.name))?.id;
  };

  test("knows its server, registers its commands and runs its tasks", async () => {
    expect(await heard("ready")).toEqual({
      what: "ready",
      members: 3,
      chunked: true,
      commands: ["echo", "Quote this"],
    });
    await waitUntil(() => lines.filter(({ what }) => what === "tick").length === 3, { what: "three ticks" });
  });

  test("answers commands with arguments, as a reply", async () => {
    const asked = await postMessage(stage.member, stage.channelId, "!add 2 3");
    const sum = await messageOf(({ content }) => content === "5");
    expect(sum).toMatchObject({ reply_to: asked.id });
    await postMessage(stage.member, stage.channelId, `!who @${stage.owner.username}`);
    await messageOf(
      ({ content }) => content.startsWith(`${stage.owner.username} joined 2`) && content.endsWith("3 others"),
    );
  });

  test("answers buttons, selects and forms of a view", async () => {
    await postMessage(stage.member, stage.channelId, "!board");
    const { id: message_id } = await messageOf(({ content }) => content === "Your turn");
    const select = await use({ message_id, custom_id: "piece", values: ["q"] });
    expect(select.message).toMatchObject({ content: "Took q", ephemeral: true });
    const { id, modal } = await use({ message_id, custom_id: "move" });
    const fields = Object.fromEntries((modal?.fields ?? []).map((field) => [field.id, "e4"]));
    const played = await use({ interaction_id: id, modal_id: modal?.modal_id, fields });
    expect(played.message).toMatchObject({ content: "Played e4" });
    expect((await use({ message_id, custom_id: "draw" })).message).toMatchObject({ content: "A draw" });
    await messageOf(({ content }) => content === "Well played");
  });

  test("answers its app commands, completes and quotes", async () => {
    const echo = await commandOf(/^echo$/);
    const completed = await use({ command_id: echo, options: { text: "hel" }, autocomplete: true, focused: "text" });
    expect(completed.choices?.map(({ value }) => value)).toEqual(["hello", "help"]);
    await use({ command_id: echo, options: { text: "hello" } });
    const target = await messageOf((message) => JSON.stringify(message).includes('"title":"hello"'));
    const said = await postMessage(stage.owner, stage.channelId, "Quotable");
    const quoted = await use({ command_id: await commandOf(/^quote/), options: {}, target_id: said.id });
    expect([target.content, quoted.message?.content]).toEqual(["", "> Quotable"]);
    expect(lines.filter(({ what }) => what === "error")).toEqual([]);
  });
});
