import { beforeAll, describe, expect, test } from "vitest";
import { type AnswerStage, createAnswerStage } from "./discord-answer-stage.js";
import { identify } from "./discord-socket.js";
import { createDiscordStage, type DiscordAnswer } from "./discord-stage.js";

let answering: AnswerStage;
let put: (commands: readonly object[]) => Promise<DiscordAnswer>;
let post: (command: object) => Promise<DiscordAnswer>;
beforeAll(async () => {
  answering = await createAnswerStage();
  const { stage, commands } = answering;
  put = (list) => stage.call("PUT", commands, list);
  post = (command) => stage.call("POST", commands, command);
});

const fault = (code: string) => ({ _errors: [{ code, message: expect.any(String) }] });
/** The answer to a body with these faults. */
const invalid = (errors: object) => ({ status: 400, body: { message: "Invalid Form Body", code: 50035, errors } });
const text = { type: 3, name: "which", description: "Which" };
const optionWith = (option: object) => ({ name: "pick", description: "Picks", options: [option] });

describe("commands as Discord takes them", () => {
  test.each([
    [{ name: "Hello World", description: "Greets" }, { name: fault("APPLICATION_COMMAND_INVALID_NAME") }],
    [{ name: "Hello", description: "Greets" }, { name: fault("APPLICATION_COMMAND_INVALID_NAME") }],
    [{ name: "hello" }, { description: fault("BASE_TYPE_REQUIRED") }],
    [{ name: "hello", description: "" }, { description: fault("BASE_TYPE_REQUIRED") }],
    [optionWith({ ...text, name: "Which one" }), { options: { 0: { name: fault("STRING_TYPE_REGEX") } } }],
  ])("%j is refused", async (command, errors) => {
    expect(await post(command)).toMatchObject(invalid(errors));
    expect(await put([{ name: "first", description: "First" }, command])).toMatchObject(invalid({ 1: errors }));
  });

  test("two of one name and type are refused, those of two types are not", async () => {
    const both = [
      { name: "greet", description: "Greets" },
      { name: "greet", type: 2 },
    ];
    expect((await put(both)).body).toMatchObject(both);
    expect(await put([...both, { name: "greet", description: "Again" }])).toMatchObject(
      invalid({ 2: fault("APPLICATION_COMMANDS_DUPLICATE_NAME") }),
    );
  });

  test("names of every script are taken and come back, also in an interaction", async () => {
    // Its bot has no other connection that may get the interaction.
    const stage = await createDiscordStage();
    const options = [
      { ...text, name: "größe", required: true },
      { ...text, name: "имя", description: "Name" },
    ];
    const command = { name: "größer", description: "Compares", options };
    const made = await stage.call("POST", `/applications/${stage.applicationId}/commands`, command);
    expect(made.body).toMatchObject(command);
    const { body } = await stage.member.get(`/channels/${stage.channelId}/commands`);
    const { bots } = body as {
      bots: { commands: { id: string; description: string; options: { name: string }[] }[] }[];
    };
    const own = bots[0]?.commands.find(({ description }) => description === "Compares");
    const [first = { name: "" }, second = { name: "" }] = own?.options ?? [];
    const socket = await identify(stage.stack.edgeUrl, `Bot ${stage.bot.token}`);
    await stage.member.post(`/channels/${stage.channelId}/interactions`, {
      bot_user_id: stage.bot.userId,
      command_id: own?.id,
      options: { [first.name]: "L", [second.name]: "Ada" },
    });
    const { data } = await socket.waitFor<{ data: object }>("INTERACTION_CREATE");
    expect(data).toMatchObject({
      name: "größer",
      options: [
        { name: "größe", type: 3, value: "L" },
        { name: "имя", type: 3, value: "Ada" },
      ],
    });
    await socket.close();
  });
});

describe("faults are named by their places in the bot's body", () => {
  test("of commands and their subcommands", async () => {
    const twice = [text, text];
    const sub = { type: 1, name: "one", description: "One", options: twice };
    const at = { options: { 1: { name: fault("BASE_TYPE_BAD") } } };
    const first = { name: "first", description: "First" };
    await put([first]);
    const command = { name: "pick", description: "Picks", options: twice };
    expect(await post(command)).toMatchObject(invalid(at));
    expect(await put([first, command])).toMatchObject(invalid({ 1: at }));
    expect(await put([first, { ...command, options: [sub] }])).toMatchObject(invalid({ 1: { options: { 0: at } } }));
    const file = { ...text, type: 11 };
    expect(await put([first, { ...command, options: [file] }])).toMatchObject(
      invalid({ 1: { options: { 0: { type: fault("UNSUPPORTED") } } } }),
    );
  });

  test("of components, in messages and in answers", async () => {
    const { stage, invoke } = answering;
    await put([{ name: "ping", description: "Answers" }]);
    const button = { type: 2, style: 1, label: "x".repeat(81), custom_id: "long" };
    const data = { content: "x", components: [{ type: 1, components: [button] }] };
    const errors = { components: { 0: { components: { 0: { label: fault("BASE_TYPE_BAD") } } } } };
    expect(await stage.call("POST", `/channels/${stage.textChannelId}/messages`, data)).toMatchObject(invalid(errors));
    const { callback, answers, original } = await invoke("ping");
    expect(await stage.callOpen("POST", callback, { type: 4, data })).toMatchObject(invalid({ data: errors }));
    expect(await stage.callOpen("POST", callback, { type: 5 })).toMatchObject({ status: 204 });
    expect(await stage.callOpen("PATCH", original, data)).toMatchObject(invalid(errors));
    expect((await stage.callOpen("PATCH", original, { content: "x" })).status).toBe(200);
    expect(await stage.callOpen("POST", answers, data)).toMatchObject(invalid(errors));
  });

  test("of modals, in rows and in labels", async () => {
    const { stage, invoke } = answering;
    const { callback } = await invoke("ping");
    const input = { type: 4, style: 1, custom_id: "why", label: "x".repeat(46) };
    const { label, ...inner } = input;
    const ask = (components: readonly object[], custom_id = "m") =>
      stage.callOpen("POST", callback, { type: 9, data: { custom_id, title: "Why?", components } });
    const row = { type: 1, components: [input] };
    const tooLong = { label: fault("BASE_TYPE_BAD") };
    expect(await ask([row])).toMatchObject(invalid({ data: { components: { 0: { components: { 0: tooLong } } } } }));
    expect(
      await ask([
        { type: 10, content: "Read" },
        { type: 18, label, component: inner },
      ]),
    ).toMatchObject(invalid({ data: { components: { 1: tooLong } } }));
    expect(await ask([{ ...row, components: [{ ...input, label: "Why" }] }], "x".repeat(101))).toMatchObject(
      invalid({ data: { custom_id: fault("BASE_TYPE_BAD") } }),
    );
    expect(await stage.callOpen("POST", callback, { type: 8, data: { choices: [] } })).toMatchObject(
      invalid({ type: fault("BASE_TYPE_BAD") }),
    );
  });
});
