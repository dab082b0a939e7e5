import type { BotProgram, InteractionState } from "@parley/client";
import { waitUntil } from "@parley/testing";
import { expect, test } from "vitest";
import { type AppBotStage, patience, useBots } from "./app-bot-stage.js";

let stage: AppBotStage;
const { run, stops } = useBots((made) => {
  stage = made;
});
const does = { description: "Does something" };
const contentOf = ({ message }: InteractionState) => message?.content;
const fail = (): never => {
  throw new Error("out of order");
};

test("the invoker gets an answer when a handler fails, and the bot logs the error, also after it was deferred", async () => {
  const caught: unknown[] = [];
  const { bot, log } = await run(
    (program) => {
      program.command("fail", does, fail);
      program.command("refused", does, ({ reply }) => reply("x".repeat(5_000)));
      program.command("later", does, async ({ defer }) => {
        await defer();
        fail();
      });
      program.command("answered", does, async ({ reply }) => {
        await reply("answered");
        fail();
      });
    },
    { failureText: "Sorry!" },
  );
  expect(await stage.use("fail")).toMatchObject({ message: { content: "Sorry!", ephemeral: true } });
  await waitUntil(() => log.some((line) => line.includes("INTERACTION_CREATE failed: Error: out of order")), patience);
  expect(await stage.use("refused")).toMatchObject({ message: { content: "Sorry!" } });
  bot.catch((error, { event }) => caught.push([event.name, String(error)]));
  const later = await stage.use("later");
  await stage.until(later.id, (now) => contentOf(now) === "Sorry!");
  expect(contentOf(await stage.use("answered"))).toBe("answered");
  await waitUntil(() => caught.length === 2, patience);
  expect(caught[0]).toEqual(["INTERACTION_CREATE", "Error: out of order"]);
});

test("an error that the handler of errors throws ends the bot", async () => {
  const { ended } = await run((bot) => {
    bot.command("fail", does, fail).catch((error) => {
      throw error;
    });
  });
  stops.pop();
  await stage.use("fail");
  await expect(ended).rejects.toThrow("out of order");
});

test("of two processes of a bot the one whose answer comes second ends its handler without a failure", async () => {
  let handlings = 0;
  const after: string[] = [];
  let second: () => void = () => undefined;
  const isHandedOver = new Promise<void>((resolve) => {
    second = resolve;
  });
  let answered: () => void = () => undefined;
  const isAnswered = new Promise<void>((resolve) => {
    answered = resolve;
  });
  const programs: BotProgram[] = [];
  const setUp = (name: string) => (bot: BotProgram) => {
    programs.push(bot);
    bot.command("move", does, async ({ reply }) => {
      handlings += 1;
      const isFirst = handlings === 1;
      if (isFirst) {
        // Its connection ends before it answers.
        bot.stop();
        await isHandedOver;
      } else {
        second();
        await isAnswered;
      }
      await reply(`${isFirst ? "first" : "second"}`).finally(answered);
      after.push(isFirst ? "first" : `second ${name}`);
    });
  };
  const [one, two] = [await run(setUp("one")), await run(setUp("two"))];
  expect(contentOf(await stage.use("move"))).toBe("first");
  await Promise.all([one.stop(), two.stop()]);
  expect([handlings, after]).toEqual([2, ["first"]]);
  expect([...one.log, ...two.log].filter((line) => /failed|without|wrong/.test(line))).toEqual([]);
});
