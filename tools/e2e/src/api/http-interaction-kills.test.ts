import { waitUntil } from "@parley/testing";
import { expect, onTestFinished, test } from "vitest";
import { connectWith } from "./app-stage.js";
import { askAt, begin, interactionOf } from "./http-app-stage.js";
import { ask, readEnds, startAsking } from "./http-interaction-kills-stage.js";
import { receiverOfTest } from "./webhook-receiver.js";

test("a dispatcher that is killed while a bot is asked costs its interactions alone, which fail in time", async () => {
  const { stack, stage } = await startAsking();
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
  const { stack, stage, receiver } = await startAsking();
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
  const { stack, stage, receiver } = await startAsking();
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
