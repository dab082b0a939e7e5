import { Channel, errorBody as error, InteractionState, type NewInteraction, SentMessage } from "@parley/contracts";
import {
  type GatewayClient,
  listMessages,
  postMessage,
  type SharedStack,
  sharedStack,
  type UserClient,
  waitUntil,
} from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  Answered,
  type AppStage,
  answer,
  Begun,
  connectWith,
  createAppStage,
  unhurried,
  use,
} from "../stages/app-stage.js";

let stack: SharedStack;
let stage: AppStage;
let member: UserClient;
let invoker: GatewayClient;
let bot: GatewayClient;

const option = { description: "x", required: false };
const commands = [
  { name: "play", description: "Begins" },
  {
    name: "open",
    description: "Opens",
    options: [
      { ...option, name: "count", type: "integer", min: 1, max: 9, required: true },
      { ...option, name: "line", type: "string", autocomplete: true },
      { ...option, name: "who", type: "user" },
    ],
  },
  { name: "flag", description: "Flags", context: "message" },
  { name: "reset", description: "Resets", default_permissions: 4 },
];

beforeAll(async () => {
  stack = await sharedStack();
  stage = await createAppStage(stack.edgeUrl, commands);
  member = stage.member;
  [invoker, bot] = await Promise.all([
    connectWith(stack.gateways[0]?.url ?? "", `token=${member.accessToken}`),
    connectWith(stack.gateways[1]?.url ?? "", `bot_token=${stage.bot.token}`),
  ]);
});
afterAll(() => Promise.all([invoker?.close(), bot?.close()]));

const invoke = (body: object, who = member) => who.post(`/channels/${stage.channelId}/interactions`, body);
const got = (id: string, gateway = bot) => gateway.waitFor("INTERACTION_CREATE", (each) => each.id === id);
const updated = (id: string, state: InteractionState["state"]) =>
  invoker.waitFor("INTERACTION_UPDATE", (each) => each.id === id && each.state === state);

/** Waits for the bot's event, whose answer may take longer then. */
async function gotUnhurried(id: string): Promise<NewInteraction> {
  const interaction = await got(id);
  await unhurried(stack.databaseUrl, id);
  return interaction;
}

/** Begins an interaction and resolves with the bot's event. */
async function begin(name = "play", fields: object = {}): Promise<NewInteraction> {
  const { id } = (await invoke(use(stage, name, fields))).expect(202, Begun);
  return gotUnhurried(id);
}
const respond = (interaction: NewInteraction, body: object) => answer(member, interaction, body);
const message = (content: string, more: object = {}) => ({ type: "message", data: { content, ...more } });
const read = async (id: string) => (await member.get(`/interactions/${id}`)).expect(200, InteractionState.strict());

test("answers to one interaction are counted before their bodies are read: 10 a second", async () => {
  const { id, token } = await begin();
  const left = new AbortController();
  // Slow machines send 20 of them in a second, and as many are allowed meanwhile.
  const answers = Array.from({ length: 80 }, (_, n) =>
    fetch(`${stack.apis[n % stack.apis.length]?.url}/interactions/${id}/${token}/answer`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      // Its end never arrives.
      body: new ReadableStream({ start: (body) => body.enqueue(new Uint8Array([0x7b])) }),
      duplex: "half",
      signal: left.signal,
    }),
  );
  const limited = await Promise.any(answers);
  expect([limited.status, await limited.json()]).toEqual([429, expect.objectContaining(error("Too many requests"))]);
  expect(Number(limited.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  left.abort();
  await Promise.allSettled(answers);
});

describe("an interaction", () => {
  test("the bot gets a command with who asked, and its message says what it answers", async () => {
    const interaction = await begin("open", { options: { count: 3, who: stage.owner.user.id } });
    expect(interaction).toMatchObject({
      type: "command",
      server_id: stage.serverId,
      channel_id: stage.channelId,
      user: { id: member.user.id, username: member.username },
      member: { user_id: member.user.id },
      permissions: 123,
      data: { name: "open", context: "server", options: { count: 3, who: stage.owner.user.id }, focused: null },
      message: null,
    });
    const { message_id } = (await respond(interaction, message("e4"))).expect(200, Answered);
    const about = { id: interaction.id, user_id: member.user.id, name: "open" };
    const created = await invoker.waitFor("MESSAGE_CREATE", ({ id }) => id === message_id);
    expect(created).toMatchObject({ content: "e4", author_id: stage.bot.userId, interaction: about });
    expect((await updated(interaction.id, "answered")).message).toMatchObject({ id: message_id, interaction: about });
    const [listed] = await listMessages(member, stage.channelId);
    expect(listed).toMatchObject({ id: message_id, interaction: about });
    expect(await read(interaction.id)).toMatchObject({ state: "answered", message: { id: message_id } });
    expect((await stage.owner.get(`/interactions/${interaction.id}`)).body).toEqual(error("Interaction not found"));
    const second = await respond(interaction, message("again"));
    expect([second.status, second.body]).toEqual([409, error("Already answered")]);
    (await respond(interaction, { ...message("more"), follow_up: true })).expect(200, Answered);
  });

  test("of many answers at once, over all apis, exactly one is the first, and one message is sent", async () => {
    const interaction = await begin();
    const content = `only ${interaction.id}`;
    const answers = await Promise.all(Array.from({ length: 8 }, () => respond(interaction, message(content))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
    const sent = (await listMessages(member, stage.channelId)).filter((each) => each.content === content);
    expect(sent).toHaveLength(1);
  });

  test("an ephemeral answer reaches the invoker alone, and stands in no channel", async () => {
    const interaction = await begin();
    (await respond(interaction, message("psst", { ephemeral: true }))).expect(200, Answered);
    const update = await updated(interaction.id, "answered");
    expect(update.message).toMatchObject({ content: "psst", ephemeral: true, author_id: stage.bot.userId });
    expect(await read(interaction.id)).toEqual(update);
    const contents = (await listMessages(member, stage.channelId)).map(({ content }) => content);
    expect(contents).not.toContain("psst");
  });

  test("an ephemeral answer is changed, then taken back, and nothing else is", async () => {
    const interaction = await begin();
    const path = `/interactions/${interaction.id}/${interaction.token}/answer`;
    const missing = error("Message not found");
    const unanswered = await Promise.all([member.patch(path, { content: "x" }), member.delete(path)]);
    expect(unanswered.map(({ status, body }) => [status, body])).toEqual([
      [404, missing],
      [404, missing],
    ]);
    const components = [[{ type: "button", style: "primary", label: "Go", custom_id: "go" }]];
    (await respond(interaction, message("psst", { ephemeral: true, components }))).expect(200, Answered);
    const first = (await updated(interaction.id, "answered")).message;
    const edited = await member.patch(path, { content: "hush" });
    expect([edited.status, edited.body]).toMatchObject([200, { id: first?.id, content: "hush", ephemeral: true }]);
    const told = (changes: Partial<NonNullable<typeof first>>) =>
      invoker.waitFor("INTERACTION_UPDATE", ({ id, message: shown }) => {
        const isAs = Object.entries(changes).every(([key, value]) => Object(shown)[key] === value);
        return id === interaction.id && isAs;
      });
    expect((await told({ content: "hush" })).message).toMatchObject({ id: first?.id, components: first?.components });
    const wrong = await member.delete(path.replace(interaction.token, "0".repeat(64)));
    expect([wrong.status, wrong.body]).toEqual([404, error("Interaction not found")]);
    expect((await member.delete(path)).status).toBe(204);
    const gone = await told({ deleted: true });
    expect(gone.message).toMatchObject({ id: first?.id, content: "", ephemeral: true });
    expect(gone.message).not.toHaveProperty("components");
    expect(await read(interaction.id)).toEqual(gone);
    const pressing = await invoke({ message_id: first?.id, custom_id: "go" });
    expect([pressing.status, pressing.body]).toEqual([404, error("Component not found")]);
    expect((await member.delete(path)).body).toEqual(missing);
  });

  test("a deferred interaction is completed later, as privately as it was deferred", async () => {
    const interaction = await begin();
    (await respond(interaction, { type: "deferred", data: { ephemeral: true } })).expect(200, Answered);
    await updated(interaction.id, "deferred");
    expect((await respond(interaction, { type: "deferred" })).body).toEqual(error("Already answered"));
    (await respond(interaction, message("done"))).expect(200, Answered);
    expect((await updated(interaction.id, "answered")).message).toMatchObject({ content: "done", ephemeral: true });
  });

  test("an autocompletion is answered with choices, and with nothing else", async () => {
    const fields = { options: { line: "Si" }, focused: "line", autocomplete: true };
    const interaction = await begin("open", fields);
    expect([interaction.type, interaction.data]).toMatchObject([
      "autocomplete",
      { options: { line: "Si" }, focused: "line" },
    ]);
    const unfit = await respond(interaction, message("no"));
    expect([unfit.status, unfit.body]).toEqual([400, error("This answer does not fit the interaction")]);
    const choices = [{ name: "Sicilian", value: "B20" }];
    (await respond(interaction, { type: "choices", data: choices })).expect(200, Answered);
    expect((await updated(interaction.id, "answered")).choices).toEqual(choices);
  });

  test("a modal is filled in by the invoker alone, and their texts are checked", async () => {
    const asking = await begin();
    const field = { id: "why", label: "Why?", style: "short", min_length: 2, max_length: 5 };
    const faulty = await respond(asking, {
      type: "modal",
      data: { modal_id: "m", title: "T", fields: [{ ...field, style: "x" }] },
    });
    expect([faulty.status, faulty.body]).toMatchObject([
      400,
      { error: expect.stringMatching(/^data\.fields\[0\]\.style: /) },
    ]);
    (await respond(asking, { type: "modal", data: { modal_id: "m", title: "T", fields: [field] } })).expect(
      200,
      Answered,
    );
    expect((await updated(asking.id, "answered")).modal).toMatchObject({
      modal_id: "m",
      fields: [{ id: "why", required: true }],
    });
    const submit = (why: unknown, who = member) =>
      invoke({ interaction_id: asking.id, modal_id: "m", fields: { why } }, who);
    for (const why of ["x", "too long", 1, undefined]) {
      expect((await submit(why)).body).toMatchObject({ error: expect.stringMatching(/^fields\.why: /) });
    }
    expect((await submit("fair", stage.owner)).body).toEqual(error("Interaction not found"));
    const { id } = (await submit("fair")).expect(202, Begun);
    const submitted = await gotUnhurried(id);
    expect([submitted.type, submitted.data]).toEqual(["modal", { modal_id: "m", fields: { why: "fair" } }]);
    expect(
      (await respond(submitted, { type: "modal", data: { modal_id: "n", title: "T", fields: [field] } })).status,
    ).toBe(400);
    (await respond(submitted, message("thanks"))).expect(200, Answered);
  });

  test("a command about a message has that message, and only one of the channel", async () => {
    const [target] = await listMessages(member, stage.channelId);
    const interaction = await begin("flag", { target_id: target?.id });
    expect(interaction.message).toMatchObject({ id: target?.id });
    expect((await invoke(use(stage, "flag", { target_id: member.user.id }))).body).toMatchObject({
      error: "target_id: is no message of the channel",
    });
    (await respond(interaction, message("flagged", { ephemeral: true }))).expect(200, Answered);
  });

  test.each<[object, number, string]>([
    [{ name: "play", command_id: "0190aaaa-0000-7000-8000-000000000001" }, 404, "Command not found"],
    [{ name: "reset" }, 404, "Command not found"],
    [{ name: "open" }, 400, "options.count: is required"],
    [{ name: "open", options: { count: 10 } }, 400, "options.count: must be 9 or less"],
    [{ name: "open", options: { count: "1" } }, 400, "options.count: must be of the type integer"],
    [{ name: "open", options: { count: 1, what: 1 } }, 400, "options.what: is no option of the command"],
    [
      { name: "open", options: { count: 1, who: "0190aaaa-0000-7000-8000-000000000001" } },
      400,
      "options.who: is no user of the server",
    ],
    [
      { name: "open", options: { count: 1 }, autocomplete: true, focused: "count" },
      400,
      "focused must name an option with autocomplete",
    ],
  ])("what is asked by %j is answered %d", async ({ name = "", ...fields }: { name?: string }, status, text) => {
    const refused = await invoke(use(stage, name, fields));
    expect([refused.status, refused.body]).toMatchObject([status, { error: text }]);
  });

  test("bots cannot use apps, nor can who lost the right to", async () => {
    const asBot = await stage.bot.client.post(`/channels/${stage.channelId}/interactions`, use(stage, "play"));
    expect([asBot.status, asBot.body]).toEqual([403, error("Bots cannot use apps")]);
    const everyone = `/servers/${stage.serverId}/roles/${stage.serverId}`;
    await stage.owner.patch(everyone, { rights: ["mention_everyone"] });
    expect((await invoke(use(stage, "play"))).body).toEqual(error("You cannot use apps in this server"));
    await stage.owner.patch(everyone, { rights: ["mention_everyone", "use_apps"] });
  });

  test("a wrong token finds nothing, and without an answer an interaction fails within three and a half seconds", async () => {
    const { id } = (await invoke(use(stage, "play"))).expect(202, Begun);
    const startedAt = performance.now();
    const interaction = await got(id);
    const wrong = await respond({ ...interaction, token: "0".repeat(64) }, message("x"));
    expect([wrong.status, wrong.body]).toEqual([404, error("Interaction not found")]);
    expect(await updated(id, "failed")).toEqual({ id, state: "failed", message: null, modal: null, choices: null });
    process.stdout.write(`failed ${Math.round(performance.now() - startedAt)} ms after the request\n`);
    expect((await respond(interaction, message("late"))).body).toEqual(error("Interaction not found"));
    expect(await read(id)).toMatchObject({ state: "failed" });
  });
});

describe("a component", () => {
  const button = { type: "button", style: "primary", label: "Approve", custom_id: "approve" };
  const options = ["a", "b", "c"].map((value) => ({ label: value, value }));
  const components = [
    [button, { ...button, custom_id: "off", disabled: true }],
    [{ type: "select", kind: "text", custom_id: "pick", options, max_values: 2 }],
    [{ type: "select", kind: "user", custom_id: "who", min_values: 0 }],
  ];
  const nobody = "0190aaaa-0000-7000-8000-000000000001";
  const channelPath = () => `/channels/${stage.channelId}/messages`;
  let shown: SentMessage;

  beforeAll(async () => {
    const sent = await stage.bot.client.post(channelPath(), {
      content: "Deploy?",
      embeds: [{ title: "412" }],
      components,
    });
    shown = sent.expect(201, SentMessage);
  });
  const press = (custom_id: string, fields: object = {}, who = member) =>
    invoke({ message_id: shown.id, custom_id, ...fields }, who);
  const pressed = async (custom_id: string, fields: object = {}) => {
    const { id } = (await press(custom_id, fields)).expect(202, Begun);
    return gotUnhurried(id);
  };
  const update = (data: object) => ({ type: "update", data });

  test("a pressed button reaches the bot with its message, which of two updates at once one replaces", async () => {
    const interaction = await pressed("approve");
    expect(interaction).toMatchObject({
      type: "component",
      data: { custom_id: "approve", values: [] },
      message: { id: shown.id, content: "Deploy?" },
      user: { id: member.user.id },
    });
    const given = ["one", "two", "three", "four"];
    const answers = await Promise.all(given.map((content) => respond(interaction, update({ content }))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const content = given[answers.findIndex(({ status }) => status === 200)];
    expect(answers.find(({ status }) => status === 200)?.body).toEqual({ message_id: shown.id });
    const replaced = { id: shown.id, content, embeds: [{ title: "412" }], components: shown.components };
    await invoker.waitFor("MESSAGE_UPDATE", (each) => each.id === shown.id && each.content === content);
    expect((await updated(interaction.id, "answered")).message).toMatchObject(replaced);
    expect(await read(interaction.id)).toMatchObject({ state: "answered", message: replaced });
    expect((await member.get(`${channelPath()}/${shown.id}`)).body).toMatchObject(replaced);
    await invoker.heartbeat();
    const updates = invoker.events.filter(
      ({ name, payload }) => name === "MESSAGE_UPDATE" && Object(payload).id === shown.id,
    );
    expect(updates).toHaveLength(1);
  });

  test.each<[string, unknown, string]>([
    ["approve", ["a"], "values: must be empty for a button"],
    ["pick", [], "values: must be 1-2 values"],
    ["pick", ["a", "b", "c"], "values: must be 1-2 values"],
    ["pick", ["a", "d"], "values[1]: is none of the options"],
    ["pick", ["a", "a"], "values[1]: must be unique"],
    ["who", ["me"], "values[0]: must be of the type user"],
    ["who", [nobody], "values[0]: is no user of the server"],
    ["pick", "a", "The body must name a command, a component or a modal"],
  ])("of %s, %j is refused: %s", async (custom_id, values, text) => {
    const refused = await press(custom_id, { values });
    expect([refused.status, refused.body]).toMatchObject([400, { error: text }]);
  });

  test("selected values reach the bot, and an update may leave no buttons, but not nothing", async () => {
    const { data } = await pressed("who", { values: [member.user.id.toUpperCase()] });
    expect(data).toEqual({ custom_id: "who", values: [member.user.id] });
    const interaction = await pressed("pick", { values: ["c", "a"] });
    expect(interaction.data).toEqual({ custom_id: "pick", values: ["c", "a"] });
    const nothing = await respond(interaction, update({ content: "", embeds: [], components: null }));
    expect([nothing.status, nothing.body]).toMatchObject([400, { error: "Message content must be 1-4000 characters" }]);
    const faulty = await respond(interaction, update({ components: [[{ ...button, label: "" }]] }));
    expect(faulty.body).toMatchObject({ error: "data.components[0][0].label: must be 1-80 characters" });
    (await respond(interaction, update({ components: [[button]] }))).expect(200, Answered);
    const { message } = await updated(interaction.id, "answered");
    expect(message?.components).toMatchObject([[{ custom_id: "approve" }]]);
    const command = await respond(await begin(), update({ content: "x" }));
    expect([command.status, command.body]).toEqual([400, error("This answer does not fit the interaction")]);
  });

  test("components of an ephemeral message are pressed by who got it alone, and their update is theirs alone", async () => {
    const first = await begin();
    (await respond(first, message("psst", { ephemeral: true, components: [[button]] }))).expect(200, Answered);
    const id = (await updated(first.id, "answered")).message?.id;
    const again = await pressed("approve", { message_id: id });
    expect(again).toMatchObject({ message: { id, content: "psst", ephemeral: true } });
    expect((await respond(again, update({ content: "done" }))).body).toEqual({ message_id: null });
    const replaced = { id, content: "done", ephemeral: true, components: [[{ custom_id: "approve" }]] };
    expect((await updated(again.id, "answered")).message).toMatchObject(replaced);
    expect((await pressed("approve", { message_id: id })).message).toMatchObject(replaced);
    expect((await press("approve", { message_id: id }, stage.owner)).body).toEqual(error("Component not found"));
  });

  test("what is not there, disabled, of another channel, or of a person is not found, and the right is asked for first", async () => {
    const found = async (custom_id: string, fields: object = {}) => (await press(custom_id, fields)).body;
    const none = error("Component not found");
    const written = await postMessage(member, stage.channelId, "by a person");
    expect(await found("missing")).toEqual(none);
    expect(await found("off")).toEqual(none);
    expect(await found("approve", { message_id: nobody })).toEqual(none);
    expect(await found("approve", { message_id: written.id })).toEqual(none);
    const other = (await stage.owner.post(`/servers/${stage.serverId}/channels`, { name: "other" })).expect(
      201,
      Channel,
    );
    const elsewhere = await member.post(`/channels/${other.id}/interactions`, {
      message_id: shown.id,
      custom_id: "approve",
    });
    expect(elsewhere.body).toEqual(none);
    const everyone = `/servers/${stage.serverId}/roles/${stage.serverId}`;
    await stage.owner.patch(everyone, { rights: ["mention_everyone"] });
    expect(await found("missing")).toEqual(error("You cannot use apps in this server"));
    await stage.owner.patch(everyone, { rights: ["mention_everyone", "use_apps"] });
    const late = await pressed("approve");
    expect((await stage.bot.client.delete(`/messages/${shown.id}`)).status).toBe(204);
    expect(await found("approve")).toEqual(none);
    expect((await respond(late, update({ content: "x" }))).body).toEqual(error("Message not found"));
    (await respond(late, message("instead"))).expect(200, Answered);
  });
});

describe("one connection of the bot", () => {
  test("exactly one connection gets an interaction, and when it ends without an answer another one does, once", async () => {
    const others = await Promise.all(stack.gateways.map(({ url }) => connectWith(url, `bot_token=${stage.bot.token}`)));
    const all = [bot, ...others];
    const holders = (id: string) =>
      all.filter(({ events }) =>
        events.some(({ name, payload }) => name === "INTERACTION_CREATE" && Object(payload).id === id),
      );
    const { id } = (await invoke(use(stage, "play"))).expect(202, Begun);
    await waitUntil(() => holders(id).length > 0);
    await Promise.all(all.map((each) => each.heartbeat()));
    const [first, ...rest] = holders(id);
    expect(rest).toEqual([]);
    first?.terminate();
    await waitUntil(() => holders(id).length === 2);
    const second = holders(id).find((each) => each !== first);
    const interaction = await got(id, second);
    (await respond(interaction, message("after all"))).expect(200, Answered);
    await updated(id, "answered");
    expect(holders(id)).toHaveLength(2);
    await Promise.all(all.map((each) => each.close()));
  });

  test("a connection that opens within the time gets interactions from before", async () => {
    const { id } = (await invoke(use(stage, "play"))).expect(202, Begun);
    bot = await connectWith(stack.gateways[0]?.url ?? "", `bot_token=${stage.bot.token}`);
    (await respond(await got(id), message("here"))).expect(200, Answered);
    await updated(id, "answered");
  });
});
