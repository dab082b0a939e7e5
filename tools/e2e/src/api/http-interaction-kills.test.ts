import { createClient as createParleyClient } from "@parley/client";
import type { InteractionState } from "@parley/contracts";
import { startStack, type TestStack, waitUntil } from "@parley/testing";
import { expect, onTestFinished, test } from "vitest";
import { type AppStage, connectWith, createAppStage } from "./app-stage.js";
import { answering, askAt, begin, interactionOf, readState } from "./http-app-stage.js";
import { type Answering, receiverOfTest } from "./webhook-receiver.js";

/** Longer by the environment, such as `INTERACTION_KILL_SECONDS=60`. */
const seconds = Number(process.env.INTERACTION_KILL_SECONDS ?? 8);
/** From one kill to the next, if what was killed is back by then. */
const killEveryMs = 700;
const beginEveryMs = 40;

const answer = answering(({ id }) => ({ type: "message", data: { content: id } }));
/** A bot that thinks for up to 200 ms: some requests are under way whenever a process ends. */
const thinking: Answering = (response, request) => {
  setTimeout(() => answer(response, request), (request.n * 37) % 200);
};

async function start() {
  const stack = await startStack({ apis: 2, gateways: 1, webhookDispatchers: 2 });
  onTestFinished(stack.stop);
  const stage = await createAppStage(stack.edgeUrl, [{ name: "play", description: "Begins" }]);
  const receiver = await receiverOfTest(thinking);
  await askAt(stage.owner, stage.bot.id, receiver.url);
  return { stack, stage, receiver };
}

/** Everything that the invoker hears, over losses of their connection. */
async function listen(stack: TestStack, { member }: AppStage) {
  const { accessToken, refreshToken } = member;
  const client = createParleyClient({ baseUrl: stack.edgeUrl, tokens: { accessToken, refreshToken } });
  const gateway = client.gateway({ v: 2, backoff: { baseMs: 100, maxMs: 200 } });
  const states = new Map<string, Set<InteractionState["state"]>>();
  const messages: string[] = [];
  gateway.on("INTERACTION_UPDATE", ({ id, state }) => states.set(id, (states.get(id) ?? new Set()).add(state)));
  gateway.on("MESSAGE_CREATE", ({ interaction }) => interaction && messages.push(interaction.id));
  await gateway.connect();
  onTestFinished(() => gateway.close());
  return { states, messages };
}

/** Begins interactions until `isOver`, at a constant rate; resolves with those that were accepted. */
async function ask(stage: AppStage, isOver: () => boolean): Promise<string[]> {
  const begun: Promise<string | null>[] = [];
  const startedAt = performance.now();
  await waitUntil(
    () => {
      const due = (performance.now() - startedAt) / beginEveryMs;
      while (begun.length < due) begun.push(begin(stage, "play").catch(() => null));
      return isOver();
    },
    { timeoutMs: 600_000 },
  );
  return (await Promise.all(begun)).filter((id) => id !== null);
}

/** How each ended, once all have. */
async function readEnds(stage: AppStage, ids: readonly string[]): Promise<Map<string, string>> {
  const ends = new Map<string, string>();
  const readAll = async () => {
    for (const id of ids.filter((each) => !ends.has(each))) {
      const { state } = await readState(stage, id);
      if (state === "answered" || state === "failed") ends.set(id, state);
    }
    return ends.size === ids.length;
  };
  await waitUntil(readAll, { timeoutMs: 20_000, what: "the end of every interaction" });
  return ends;
}

test("dispatchers and apis are killed under load: every interaction has one request at most and ends in exactly one of answered and failed", async () => {
  const { stack, stage, receiver } = await start();
  const { states, messages } = await listen(stack, stage);
  const victims = [stack.webhookDispatchers[0], stack.apis[0], stack.webhookDispatchers[1], stack.apis[1]];
  let isOver = false;
  const asking = ask(stage, () => isOver);
  const startedAt = performance.now();
  for (let kills = 0; performance.now() < startedAt + seconds * 1_000; kills += 1) {
    const killedAt = performance.now();
    const victim = victims[kills % victims.length];
    await victim?.kill();
    await victim?.restart();
    await waitUntil(() => performance.now() >= killedAt + killEveryMs, { what: "the next kill" });
  }
  isOver = true;
  const ids = await asking;
  const ends = await readEnds(stage, ids);
  const answered = ids.filter((id) => ends.get(id) === "answered");
  await waitUntil(() => answered.every((id) => messages.includes(id)), { what: "the messages of all answers" });

  const isFinal = (state: string) => state === "answered" || state === "failed";
  const contradictions = ids.filter((id) =>
    [...(states.get(id) ?? [])].filter(isFinal).some((s) => s !== ends.get(id)),
  );
  expect(contradictions).toEqual([]);
  expect(messages.filter((id) => ids.includes(id)).sort()).toEqual([...answered].sort());
  const requests = receiver.received.map((each) => interactionOf(each).id);
  expect(new Set(requests).size).toBe(requests.length);
  process.stdout.write(`interactions by HTTP under kills: ${ids.length} begun, ${answered.length} answered\n`);
  expect(answered.length).toBeGreaterThan(ids.length / 3);
}, 120_000);

test("a dispatcher that is killed while a bot is asked costs its interactions alone, which fail in time", async () => {
  const { stack, stage } = await start();
  const hanging = await receiverOfTest(() => undefined);
  await askAt(stage.owner, stage.bot.id, hanging.url);
  const begunAt = performance.now();
  const ids = await Promise.all(Array.from({ length: 20 }, () => begin(stage, "play")));
  const lastAt = performance.now();
  await hanging.waitFor(20);
  for (const dispatcher of stack.webhookDispatchers) await dispatcher.kill();
  expect(performance.now() - begunAt).toBeLessThan(2_500);
  const ends = await readEnds(stage, ids);
  expect(performance.now() - lastAt).toBeLessThan(4_500);
  expect(new Set(ends.values())).toEqual(new Set(["failed"]));
  expect(hanging.received).toHaveLength(20);
});

test("a dispatcher that is stopped in order ends what it has begun: no interaction fails, and none is asked twice", async () => {
  const { stack, stage, receiver } = await start();
  let isOver = false;
  const asking = ask(stage, () => isOver);
  await receiver.waitFor(20);
  await stack.webhookDispatchers[0]?.stop();
  const before = receiver.received.length;
  await receiver.waitFor(before + 20);
  isOver = true;
  const ids = await asking;
  const ends = await readEnds(stage, ids);
  expect([...ends.values()].filter((end) => end !== "answered")).toEqual([]);
  expect(receiver.received.map((each) => interactionOf(each).id).sort()).toEqual([...ids].sort());
}, 60_000);

test("while there is no dispatcher interactions fail in time and none goes to a connection, and one that starts asks what still waits", async () => {
  const { stack, stage, receiver } = await start();
  const [dispatcher, other] = stack.webhookDispatchers;
  await other?.stop();
  await dispatcher?.kill();
  const gateway = await connectWith(stack.edgeUrl, `bot_token=${stage.bot.token}`);
  onTestFinished(() => gateway.close());
  const begunAt = performance.now();
  const unasked = await begin(stage, "play");
  // A connection that opens claims what waits for connections.
  const late = await connectWith(stack.edgeUrl, `bot_token=${stage.bot.token}`);
  onTestFinished(() => late.close());
  expect(await readEnds(stage, [unasked])).toEqual(new Map([[unasked, "failed"]]));
  expect(performance.now() - begunAt).toBeLessThan(4_500);
  for (const { events } of [gateway, late]) expect(events.map(({ name }) => name)).not.toContain("INTERACTION_CREATE");
  expect(receiver.received).toEqual([]);

  // The start may take longer than the interaction has.
  const isAsked = async () => {
    await dispatcher?.kill();
    const id = await begin(stage, "play");
    await dispatcher?.restart();
    return (await readEnds(stage, [id])).get(id) === "answered";
  };
  await waitUntil(isAsked, { timeoutMs: 60_000, what: "an interaction that waited for a dispatcher" });
}, 120_000);
