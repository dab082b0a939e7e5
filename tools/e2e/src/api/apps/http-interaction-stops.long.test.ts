import { useMortalStack, waitUntil } from "@parley/testing";
import { expect, onTestFinished, test } from "vitest";
import { connectWith } from "../stages/app-stage.js";
import { begin, interactionOf, readState } from "./http-app-stage.js";
import { ask, readEnds, startAsking, stopTime } from "./http-interaction-kills-stage.js";

const mortal = useMortalStack();

test("a dispatcher that is stopped in order finishes its interactions: none fails, and none is asked twice", async () => {
  const { stack } = mortal;
  const { stage, receiver } = await startAsking(stack);
  await stopTime(stack);
  let isOver = false;
  const asking = ask(stage, () => isOver);
  await receiver.waitFor(20);
  const [dispatcher] = stack.webhookDispatchers;
  await dispatcher?.stop();
  const before = receiver.received.length;
  await receiver.waitFor(before + 20);
  isOver = true;
  const ids = await asking;
  const ends = await readEnds(stage, ids);
  expect([...ends.values()].filter((end) => end !== "answered")).toEqual([]);
  expect(receiver.received.map((each) => interactionOf(each).id).sort()).toEqual([...ids].sort());
  await dispatcher?.restart();
});

test("while there is no dispatcher interactions fail in time and none goes to a connection, and one that starts asks what still waits", async () => {
  const { stack } = mortal;
  const { stage, receiver } = await startAsking(stack);
  const [dispatcher, other] = stack.webhookDispatchers;
  await other?.stop();
  await dispatcher?.kill();
  const gateway = await connectWith(stack.edgeUrl, `bot_token=${stage.bot.token}`);
  onTestFinished(() => gateway.close());
  const time = await stopTime(stack);
  const unasked = await begin(stage, "play");
  // A connection that opens claims the interactions that wait for connections.
  const late = await connectWith(stack.edgeUrl, `bot_token=${stage.bot.token}`);
  onTestFinished(() => late.close());
  await time.pass();
  expect(await readEnds(stage, [unasked])).toEqual(new Map([[unasked, "failed"]]));
  for (const { events } of [gateway, late]) expect(events.map(({ name }) => name)).not.toContain("INTERACTION_CREATE");
  expect(receiver.received).toEqual([]);

  const waiting = await begin(stage, "play");
  await dispatcher?.restart();
  const isAnswered = async () => {
    await time.leaveSome();
    return (await readState(stage, waiting)).state === "answered";
  };
  await waitUntil(isAnswered, { what: "the answer to what waited for a dispatcher" });
  expect(receiver.received.map((each) => interactionOf(each).id)).toEqual([waiting]);
  await other?.restart();
});
