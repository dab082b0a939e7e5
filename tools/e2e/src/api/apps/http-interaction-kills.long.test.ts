import { createClient as createParleyClient } from "@parley/client";
import type { InteractionState } from "@parley/contracts";
import { startStack, type TestStack, waitUntil } from "@parley/testing";
import { expect, onTestFinished, test } from "vitest";
import type { AppStage } from "../stages/app-stage.js";
import { interactionOf } from "./http-app-stage.js";
import { ask, readEnds, startAsking } from "./http-interaction-kills-stage.js";

/** Longer by the environment, such as `INTERACTION_KILL_SECONDS=60`. */
const seconds = Number(process.env.INTERACTION_KILL_SECONDS ?? 8);
/** From one kill to the next, if the killed process is back by then. */
const killEveryMs = 700;

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

test("dispatchers and apis are killed under load: every interaction has one request at most and ends in exactly one of answered and failed", async () => {
  // Its own: its processes are killed.
  const stack = await startStack({ apis: 2, gateways: 1, webhookDispatchers: 2 });
  onTestFinished(stack.stop);
  const { stage, receiver } = await startAsking(stack);
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
});
