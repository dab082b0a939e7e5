import { errorBody as error, InteractionState, type NewInteraction, SentMessage } from "@parley/contracts";
import { type GatewayClient, joinServer, listMessages, type SharedStack, sharedStack } from "@parley/testing";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { runSql } from "../stages/admin-stage.js";
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
import { receiverOfTest } from "../stages/webhook-receiver.js";
import { answering, askAt, begin as beginByHttp, readState } from "./http-app-stage.js";

let stack: SharedStack;
beforeAll(async () => {
  stack = await sharedStack();
});

const line = { name: "line", description: "x", type: "string", autocomplete: true };
const commands = [
  { name: "play", description: "Begins" },
  { name: "open", description: "Opens", options: [line] },
];
const button = { type: "button", style: "primary", label: "Approve", custom_id: "approve" };
const field = { id: "why", label: "Why?", style: "short" };

const message = (content: string, more: object = {}) => ({ type: "message", data: { content, ...more } });
const followUp = (content: string, more: object = {}) => ({ ...message(content, more), follow_up: true });

/** A stage with both sides connected, and one interaction begun for each way to answer. */
async function createStage() {
  const stage = await createAppStage(stack.edgeUrl, commands);
  const { member, channelId } = stage;
  const [invoker, bot] = await Promise.all([
    connectWith(stack.gateways[0]?.url ?? "", `token=${member.accessToken}`),
    connectWith(stack.gateways[1]?.url ?? "", `bot_token=${stage.bot.token}`),
  ]);
  onTestFinished(async () => void (await Promise.all([invoker.close(), bot.close()])));
  const invoke = async (body: object): Promise<NewInteraction> => {
    const { id } = (await member.post(`/channels/${channelId}/interactions`, body)).expect(202, Begun);
    const interaction = await bot.waitFor("INTERACTION_CREATE", (each) => each.id === id);
    // On a slow machine, too, none of them may fail for want of an answer.
    await unhurried(stack.databaseUrl, id);
    return interaction;
  };
  return { ...stage, invoker, bot: { ...stage.bot, gateway: bot }, invoke };
}
type Stage = Awaited<ReturnType<typeof createStage>>;

/** Begins one interaction, which has been answered so already; the last answer is the one that is tried. */
interface Way {
  readonly begin: (stage: Stage) => Promise<NewInteraction>;
  readonly before?: readonly object[];
  readonly body: object;
}

const command = (stage: Stage) => stage.invoke(use(stage, "play"));
const press = (message_id: string) => (stage: Stage) => stage.invoke({ message_id, custom_id: "approve" });

async function pressShown(stage: Stage): Promise<NewInteraction> {
  const body = { content: "Deploy?", components: [[button]] };
  const sent = await stage.bot.client.post(`/channels/${stage.channelId}/messages`, body);
  return press(sent.expect(201, SentMessage).id)(stage);
}
async function pressEphemeral(stage: Stage): Promise<NewInteraction> {
  const first = await command(stage);
  (await answer(stage.member, first, message("psst", { ephemeral: true, components: [[button]] }))).expect(
    200,
    Answered,
  );
  const { message: shown } = (await stage.member.get(`/interactions/${first.id}`)).expect(200, InteractionState);
  return press(shown?.id ?? "")(stage);
}
const complete = (stage: Stage) =>
  stage.invoke(use(stage, "open", { options: { line: "Si" }, focused: "line", autocomplete: true }));

const ways: Readonly<Record<string, Way>> = {
  "a follow-up in the channel": { begin: command, before: [message("first")], body: followUp("more") },
  "a follow-up for the invoker alone": {
    begin: command,
    before: [message("first")],
    body: followUp("psst", { ephemeral: true }),
  },
  "the message that completes": { begin: command, before: [{ type: "deferred" }], body: message("done") },
  "the message for the invoker alone that completes": {
    begin: command,
    before: [{ type: "deferred", data: { ephemeral: true } }],
    body: message("done"),
  },
  "a message in the channel": { begin: command, body: message("e4") },
  "a message for the invoker alone": { begin: command, body: message("psst", { ephemeral: true }) },
  "an update of a message of the channel": { begin: pressShown, body: { type: "update", data: { content: "x" } } },
  "an update of a message for the invoker alone": {
    begin: pressEphemeral,
    body: { type: "update", data: { content: "x" } },
  },
  deferring: { begin: command, body: { type: "deferred" } },
  "a modal": { begin: command, body: { type: "modal", data: { modal_id: "m", title: "T", fields: [field] } } },
  choices: { begin: complete, body: { type: "choices", data: [{ name: "Sicilian", value: "B20" }] } },
};

const kick = ({ owner, serverId }: Stage, userId: string) => owner.post(`/servers/${serverId}/members/${userId}/kick`);
const rejoin = (stage: Stage) => joinServer(stage.member, stage.serverId);

/** Events that end an interaction, and whether its invoker may still read its state. */
const ends: Readonly<Record<string, { end: (stage: Stage) => Promise<unknown>; isRead: boolean }>> = {
  "the bot is revoked": { end: ({ owner, bot }) => owner.delete(`/bots/${bot.id}`), isRead: true },
  "the bot gets a new token": { end: ({ owner, bot }) => owner.post(`/bots/${bot.id}/token/regenerate`), isRead: true },
  "the bot is removed from the server": { end: (stage) => kick(stage, stage.bot.userId), isRead: true },
  "the invoker is kicked": { end: (stage) => kick(stage, stage.member.user.id), isRead: false },
  "the invoker is kicked and joins again": {
    end: async (stage) => {
      await kick(stage, stage.member.user.id);
      await rejoin(stage);
    },
    isRead: false,
  },
  "the invoker is banned": {
    end: ({ owner, serverId, member }) => owner.post(`/servers/${serverId}/members/${member.user.id}/ban`, {}),
    isRead: false,
  },
  "the invoker leaves": { end: ({ member, serverId }) => member.delete(`/servers/${serverId}/leave`), isRead: false },
  "the channel is deleted": { end: ({ owner, channelId }) => owner.delete(`/channels/${channelId}`), isRead: false },
  "the server is deleted": { end: ({ owner, serverId }) => owner.delete(`/servers/${serverId}`), isRead: false },
};

/** Begins an interaction for each way, has `end` happen, and tries to answer each. @returns the statuses and bodies by way */
async function answerEachWay(stage: Stage, end: (stage: Stage) => Promise<unknown>) {
  const begun: [string, NewInteraction, object][] = [];
  for (const [name, { begin, before = [], body }] of Object.entries(ways)) {
    const interaction = await begin(stage);
    for (const each of before) (await answer(stage.member, interaction, each)).expect(200, Answered);
    begun.push([name, interaction, body]);
  }
  await end(stage);
  const answers = begun.map(async ([name, interaction, body]) => {
    const { status, body: text } = await answer(stage.member, interaction, body);
    const read = await stage.member.get(`/interactions/${interaction.id}`);
    return [name, { answer: status === 200 ? 200 : [status, text], read: read.status }];
  });
  return Object.fromEntries(await Promise.all(answers));
}

const eachWay = (expected: object) => Object.fromEntries(Object.keys(ways).map((way) => [way, expected]));
const notFound = [404, error("Interaction not found")];

describe("a bot answers nothing once", () => {
  test.each(Object.entries(ends))("%s", async (_, { end, isRead }) => {
    expect(await answerEachWay(await createStage(), end)).toEqual(
      eachWay({ answer: notFound, read: isRead ? 200 : 404 }),
    );
  });

  test("and it answers in each of these ways before", async () => {
    expect(await answerEachWay(await createStage(), async () => {})).toEqual(eachWay({ answer: 200, read: 200 }));
  });
});

describe("somebody who has left", () => {
  /** Moves the end of an interaction's time to now. */
  const overdue = (id: string) =>
    runSql(stack.databaseUrl, "UPDATE interactions SET due_at = now() WHERE id = $1", [id]);
  const failed = (gateway: GatewayClient, id: string) =>
    gateway.waitFor("INTERACTION_UPDATE", (each) => each.id === id && each.state === "failed");
  const toldOf = ({ events }: GatewayClient, id: string) =>
    events.filter(({ name, payload }) => name === "INTERACTION_UPDATE" && Object(payload).id === id);

  test("hears nothing of what failed since, and hands in no modal of before", async () => {
    const stage = await createStage();
    const asking = await command(stage);
    const form = { type: "modal", data: { modal_id: "m", title: "T", fields: [field] } };
    (await answer(stage.member, asking, form)).expect(200, Answered);
    const unanswered = await command(stage);
    await kick(stage, stage.member.user.id);
    await overdue(unanswered.id);
    await expect
      .poll(() =>
        runSql(stack.databaseUrl, "SELECT state, announce_at FROM interactions WHERE id = $1", [unanswered.id]),
      )
      .toEqual([{ state: "failed", announce_at: null }]);
    await rejoin(stage);
    const submit = { interaction_id: asking.id, modal_id: "m", fields: { why: "fair" } };
    const refused = await stage.member.post(`/channels/${stage.channelId}/interactions`, submit);
    expect([refused.status, refused.body]).toEqual(notFound);
    const next = await command(stage);
    await overdue(next.id);
    await failed(stage.invoker, next.id);
    expect(toldOf(stage.invoker, unanswered.id)).toEqual([]);
  });
});

describe("a bot that is asked by HTTP and answers after", () => {
  const held = async (stage: AppStage, end: () => Promise<unknown>) => {
    const receiver = await receiverOfTest((response, request) => {
      void end().then(() => answering(() => message("late"))(response, request));
    });
    await askAt(stage.owner, stage.bot.id, `${receiver.url}/app`);
    return beginByHttp(stage, "play");
  };
  const stateOf = (id: string) => runSql(stack.databaseUrl, "SELECT state FROM interactions WHERE id = $1", [id]);

  test.each<[string, (stage: AppStage) => Promise<unknown>]>([
    ["its revocation", ({ owner, bot }) => owner.delete(`/bots/${bot.id}`)],
    ["its removal", ({ owner, serverId, bot }) => owner.post(`/servers/${serverId}/members/${bot.userId}/kick`)],
    [
      "the invoker was kicked",
      ({ owner, serverId, member }) => owner.post(`/servers/${serverId}/members/${member.user.id}/kick`),
    ],
  ])("%s has not answered", async (_, end) => {
    const stage = await createAppStage(stack.edgeUrl, commands);
    const id = await held(stage, () => end(stage));
    await expect.poll(() => stateOf(id)).toEqual([{ state: "failed" }]);
    expect((await listMessages(stage.owner, stage.channelId)).map(({ content }) => content)).not.toContain("late");
  });

  test("nothing of this has answered", async () => {
    const stage = await createAppStage(stack.edgeUrl, commands);
    const id = await held(stage, async () => {});
    await expect.poll(() => stateOf(id)).toEqual([{ state: "answered" }]);
    expect(await readState(stage, id)).toMatchObject({ state: "answered", message: { content: "late" } });
  });
});
