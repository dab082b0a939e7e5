import { useMortalStack } from "@parley/testing";
import { expect, test } from "vitest";
import { receiverOfTest } from "../stages/webhook-receiver.js";
import { askAt, begin } from "./http-app-stage.js";
import { readEnds, startAsking, stopTime } from "./http-interaction-kills-stage.js";

const mortal = useMortalStack();
const startDispatchers = () => Promise.all(mortal.stack.webhookDispatchers.map((each) => each.restart()));

test("a dispatcher that is killed while a bot is asked costs its interactions alone, which fail in time", async () => {
  const { stack } = mortal;
  const { stage } = await startAsking(stack);
  const hanging = await receiverOfTest(() => undefined);
  await askAt(stage.owner, stage.bot.id, hanging.url);
  const time = await stopTime(stack);
  const ids = await Promise.all(Array.from({ length: 20 }, () => begin(stage, "play")));
  await hanging.waitFor(20);
  for (const dispatcher of stack.webhookDispatchers) await dispatcher.kill();
  await time.pass();
  const ends = await readEnds(stage, ids);
  expect(new Set(ends.values())).toEqual(new Set(["failed"]));
  expect(hanging.received).toHaveLength(20);
  await startDispatchers();
});
