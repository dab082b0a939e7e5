import { createHmac } from "node:crypto";
import { verifyInteraction } from "@parley/client";
import { type InteractionState, Message } from "@parley/contracts";
import { type GatewayClient, listMessages, type SharedStack, sharedStack, waitUntil } from "@parley/testing";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { runSql } from "../stages/admin-stage.js";
import { Answered, type AppStage, answer, Begun, connectWith, createAppStage, unhurried } from "../stages/app-stage.js";
import { type Answering, receiverOfTest } from "../stages/webhook-receiver.js";
import { answering, askAt, begin, interactionOf, readState } from "./http-app-stage.js";

const commands = [
  { name: "play", description: "Begins" },
  {
    name: "open",
    description: "Opens",
    options: [{ name: "line", description: "x", type: "string", autocomplete: true }],
  },
];
let stack: SharedStack;
let stage: AppStage;
let invoker: GatewayClient;

beforeAll(async () => {
  stack = await sharedStack();
});
beforeEach(async () => {
  stage = await createAppStage(stack.edgeUrl, commands);
  invoker = await connectWith(stack.gateways[0]?.url ?? "", `token=${stage.member.accessToken}`);
  onTestFinished(() => invoker.close());
});

const updated = (id: string, state: InteractionState["state"]) =>
  invoker.waitFor("INTERACTION_UPDATE", (each) => each.id === id && each.state === state);
const message = (content: string, more: object = {}) => ({ type: "message", data: { content, ...more } });

/** Starts a bot that answers so. */
async function bot(answers: Answering) {
  const receiver = await receiverOfTest(answers);
  const secret = await askAt(stage.owner, stage.bot.id, `${receiver.url}/app?of=chess`);
  return { ...receiver, secret };
}

describe("a bot that is asked by HTTP", () => {
  test("the answer is the body: a message of the channel, as by REST", async () => {
    const { received } = await bot(answering(({ id }) => message(`e4 ${id}`)));
    const id = await begin(stage, "play");
    const { message: sent } = await updated(id, "answered");
    expect(sent).toMatchObject({ content: `e4 ${id}`, author_id: stage.bot.userId, interaction: { id, name: "play" } });
    const [listed] = await listMessages(stage.member, stage.channelId);
    expect(listed).toMatchObject({ id: sent?.id, content: `e4 ${id}` });
    expect(await readState(stage, id)).toMatchObject({ state: "answered", message: { id: sent?.id } });
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({ method: "POST", path: "/app?of=chess" });
  });

  test("the body may be an ephemeral message, a modal, or defer, and what follows comes by REST", async () => {
    const form = { modal_id: "m", title: "T", fields: [{ id: "why", label: "Why?", style: "short" }] };
    const bodies: Record<string, object> = {
      whisper: message("psst", { ephemeral: true }),
      ask: { type: "modal", data: form },
      wait: { type: "deferred", data: { ephemeral: true } },
    };
    const { received } = await bot(
      answering(({ type, data }) => {
        if (type === "modal") return message("thanks");
        return bodies["options" in data ? String(data.options.line) : ""] ?? {};
      }),
    );
    const whispered = await begin(stage, "open", { options: { line: "whisper" } });
    expect((await updated(whispered, "answered")).message).toMatchObject({ content: "psst", ephemeral: true });
    const asked = await begin(stage, "open", { options: { line: "ask" } });
    expect((await updated(asked, "answered")).modal).toMatchObject({ modal_id: "m" });
    const submission = { interaction_id: asked, modal_id: "m", fields: { why: "so" } };
    const submitted = await stage.member.post(`/channels/${stage.channelId}/interactions`, submission);
    const { id } = submitted.expect(202, Begun);
    expect((await updated(id, "answered")).message).toMatchObject({ content: "thanks" });
    const deferred = await begin(stage, "open", { options: { line: "wait" } });
    await updated(deferred, "deferred");
    const request = await waitUntil(() => received.map(interactionOf).find((each) => each.id === deferred));
    (await answer(stage.member, request, message("done"))).expect(200, Answered);
    expect((await updated(deferred, "answered")).message).toMatchObject({ content: "done", ephemeral: true });
  });

  test("an option is completed, and a message whose button is pressed is replaced, by the body", async () => {
    const choices = [{ name: "Sicilian", value: "B20" }];
    await bot(
      answering(({ type }) =>
        type === "autocomplete" ? { type: "choices", data: choices } : { type: "update", data: { content: "pressed" } },
      ),
    );
    const typed = await begin(stage, "open", { options: { line: "Si" }, focused: "line", autocomplete: true });
    expect((await updated(typed, "answered")).choices).toEqual(choices);
    const button = { type: "button", style: "primary", label: "Go", custom_id: "go", disabled: false };
    const body = { content: "press", components: [[button]] };
    const posted = (await stage.bot.client.post(`/channels/${stage.channelId}/messages`, body)).expect(201, Message);
    const press = { message_id: posted.id, custom_id: "go" };
    const pressed = await stage.member.post(`/channels/${stage.channelId}/interactions`, press);
    await updated(pressed.expect(202, Begun).id, "answered");
    const [listed] = await listMessages(stage.member, stage.channelId);
    expect(listed).toMatchObject({ id: posted.id, content: "pressed" });
  });

  test("after 204 the answer comes by REST, and without one the interaction fails in time", async () => {
    const { received } = await bot((response) => response.writeHead(204).end());
    const id = await begin(stage, "play");
    const asked = await waitUntil(() => received.map(interactionOf).find((each) => each.id === id));
    await unhurried(stack.databaseUrl, id);
    (await answer(stage.member, asked, message("later"))).expect(200, Answered);
    expect((await updated(id, "answered")).message).toMatchObject({ content: "later" });
    await updated(await begin(stage, "play"), "failed");
  });

  test("requests are signed with the bot's secret in both ways, and with the new one once the URL is set again", async () => {
    const { received, secret, url } = await bot(answering(() => message("yes")));
    const id = await begin(stage, "play");
    await updated(id, "answered");
    const renewed = await askAt(stage.owner, stage.bot.id, url);
    await updated(await begin(stage, "play"), "answered");
    expect(received).toHaveLength(2);
    for (const [n, { headers, body }] of received.entries()) {
      const [key, other] = n === 0 ? [secret, renewed] : [renewed, secret];
      const signature = createHmac("sha256", key).update(body).digest("hex");
      expect(headers["x-service-signature-256"]).toBe(`sha256=${signature}`);
      expect(await verifyInteraction({ secret: key, headers, body })).toEqual(JSON.parse(body.toString()));
      const wrong = verifyInteraction({ secret: other, headers, body });
      await expect(wrong).rejects.toThrow("No signature");
    }
    expect(received[0]?.headers).toMatchObject({
      "content-type": "application/json",
      "x-service-hook-id": stage.bot.id,
      "x-service-delivery-attempt": "1",
      "webhook-id": id,
    });
    expect(received.map(interactionOf)[0]).toMatchObject({
      id,
      type: "command",
      server_id: stage.serverId,
      channel_id: stage.channelId,
      user: { id: stage.member.user.id },
      data: { name: "play" },
      message: null,
    });
  });

  test("its connections get nothing while it has a URL, and everything again once it has none", async () => {
    const { received } = await bot((response) => response.writeHead(204).end());
    const credential = `bot_token=${stage.bot.token}`;
    const connections = await Promise.all(stack.gateways.map(({ url }) => connectWith(url, credential)));
    for (const each of connections) onTestFinished(() => each.close());
    const asked = await Promise.all(Array.from({ length: 10 }, () => begin(stage, "play")));
    await waitUntil(() => received.length === asked.length);
    // A connection that opens while interactions have no answer claims interactions for connections, too.
    const late = await connectWith(stack.gateways[0]?.url ?? "", credential);
    onTestFinished(() => late.close());
    await stage.owner.patch(`/bots/${stage.bot.id}`, { interactions_url: null });
    const id = await begin(stage, "play");
    const got = () =>
      [...connections, late]
        .flatMap(({ events }) => events.filter(({ name }) => name === "INTERACTION_CREATE"))
        .map(({ payload }) => Begun.loose().parse(payload).id);
    await waitUntil(() => got().includes(id));
    expect(got()).toEqual([id]);
    expect(received.map((each) => interactionOf(each).id).sort()).toEqual(asked.sort());
  });

  test("two dispatchers and two apis: each of many interactions is one request with one answer", async () => {
    const { received } = await bot(answering(({ id }) => message(id)));
    const ids: string[] = [];
    // A few at a time: sixty at once need longer than an answer may on a slow machine.
    for (let round = 0; round < 6; round++) {
      const begun = await Promise.all(Array.from({ length: 10 }, () => begin(stage, "play")));
      await Promise.all(begun.map((id) => updated(id, "answered")));
      ids.push(...begun);
    }
    expect(received.map((each) => interactionOf(each).id).sort()).toEqual([...ids].sort());
    const dispatchers = "SELECT DISTINCT connection_id FROM interactions WHERE bot_user_id = $1";
    expect(await runSql(stack.databaseUrl, dispatchers, [stage.bot.userId])).toHaveLength(2);
  });
});

describe("an interaction fails", () => {
  const json = (body: object) => answering(() => body);
  const end =
    (status: number, body = "", headers = {}): Answering =>
    (response) =>
      response.writeHead(status, headers).end(body);
  const elsewhere = { location: "/elsewhere" };
  test.each<[string, Answering]>([
    ["is refused", end(500, JSON.stringify(message("no")))],
    ["is redirected, which is not followed", end(307, "", elsewhere)],
    ["is no JSON", end(200, "<html>")],
    ["is empty", end(200)],
    ["is of no type", json({ type: "song", data: {} })],
    ["breaks a rule", json(message(""))],
    ["does not fit the interaction", json({ type: "choices", data: [] })],
    ["is longer than 128 KiB", json({ ...message("long"), more: "x".repeat(128 * 1024) })],
    ["ends too soon", (response) => response.writeHead(200, { "content-length": 1_000 }).write("{")],
  ])("an interaction fails when the answer %s", async (name, answers) => {
    const { received } = await bot((response, request) => {
      answers(response, request);
      if (name === "ends too soon") setImmediate(() => response.destroy());
    });
    const id = await begin(stage, "play");
    await updated(id, "failed");
    expect(await readState(stage, id)).toMatchObject({ state: "failed", message: null });
    expect(received).toHaveLength(1);
    expect(await listMessages(stage.member, stage.channelId)).toEqual([]);
  });

  test("an interaction fails in time, and not before, when nothing, no body, or a byte now and then comes", async () => {
    const behaviours: Answering[] = [
      () => undefined,
      (response) => response.writeHead(200).flushHeaders(),
      (response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write(" "), 200);
        response.on("close", () => clearInterval(timer));
      },
    ];
    const failing = behaviours.map(async (answers) => {
      const own = await createAppStage(stack.edgeUrl, commands);
      const { received, url } = await receiverOfTest(answers);
      await askAt(own.owner, own.bot.id, url);
      const begunAt = performance.now();
      const id = await begin(own, "play");
      await waitUntil(async () => (await readState(own, id)).state === "failed", { what: "the failure" });
      expect(performance.now() - begunAt).toBeGreaterThan(2_500);
      expect(received).toHaveLength(1);
    });
    await Promise.all(failing);
  });

  test("an interaction fails when nobody listens at the URL", async () => {
    const receiver = await receiverOfTest();
    await receiver.close();
    await askAt(stage.owner, stage.bot.id, receiver.url);
    await updated(await begin(stage, "play"), "failed");
  });

  test("an answer by REST stands, whatever the body is", async () => {
    await bot((response, { delivery }) => {
      void answer(stage.member, interactionOf(delivery), message("by REST")).then(() => response.end("by body"));
    });
    const id = await begin(stage, "play");
    await updated(id, "answered");
    // Answered after the other one was, so its body was judged before.
    await updated(await begin(stage, "play"), "answered");
    expect(await readState(stage, id)).toMatchObject({ state: "answered", message: { content: "by REST" } });
  });
});

test("a bot that hangs costs another one nothing", async () => {
  const hanging = stage;
  const { received } = await bot(() => undefined);
  const other = await createAppStage(stack.edgeUrl, commands);
  const receiver = await receiverOfTest(answering(() => message("quick")));
  await askAt(other.owner, other.bot.id, receiver.url);
  // More than the 64 that the dispatchers ask one bot at a time.
  const hung = await Promise.all(Array.from({ length: 80 }, () => begin(hanging, "play")));
  await waitUntil(() => received.length > 0);
  const gateway = await connectWith(stack.gateways[1]?.url ?? "", `token=${other.member.accessToken}`);
  onTestFinished(() => gateway.close());
  // An interaction that waits for as long as a bot may hang has failed.
  for (let round = 0; round < 4; round++) {
    const ids = await Promise.all(Array.from({ length: 5 }, () => begin(other, "play")));
    const ends = ids.map((id) =>
      gateway.waitFor("INTERACTION_UPDATE", (each) => each.id === id && ["answered", "failed"].includes(each.state)),
    );
    expect((await Promise.all(ends)).map(({ state }) => state)).toEqual(ids.map(() => "answered"));
  }
  await Promise.all(hung.map((id) => updated(id, "failed")));
});
