import {
  type BotProgram,
  button,
  type CommandInteraction,
  type ComponentInteraction,
  rows,
  type SentReply,
} from "@parley/client";
import { waitUntil } from "@parley/testing";
import { expect, test } from "vitest";
import { type AppBotStage, patience, useBots } from "./app-bot-stage.js";

let stage: AppBotStage;
const { run } = useBots((made) => {
  stage = made;
});

const components = rows(button("A", "a"), button("B", "b"));
const timeMs = 60_000;
const does = { description: "Asks" };

/** Runs a bot whose command sends buttons, and then does this; resolves with how the program says that it is done. */
async function ask(
  act: (sent: SentReply, interaction: CommandInteraction, bot: BotProgram) => unknown,
  ephemeral = false,
) {
  const ends: unknown[] = [];
  const running = await run((bot) => {
    bot.command("ask", does, async (interaction) => {
      try {
        ends.push(await act(await interaction.reply({ content: "?", components, ephemeral }), interaction, bot));
      } catch (error) {
        ends.push(error);
        throw error;
      }
    });
    bot.button("", ({ customId, reply }) => reply({ content: `handler of ${customId}`, ephemeral: true }));
  });
  const { message } = await stage.use("ask");
  const end = () => waitUntil(() => (ends.length > 0 ? ends : null), patience);
  const press = async (id: string, who = stage.member) => {
    const { message: answer } = await stage.press(message?.id ?? "", id, { who });
    return answer?.content;
  };
  return { ...running, end, press };
}

test("a loop gets the presses of its message that fit, as many as it wants, and the others go to the handlers", async () => {
  const { press, end } = await ask(async (sent, { user }, bot) => {
    const seen: string[] = [];
    const filter = (each: ComponentInteraction) => each.user.id === user.id && each.customId === "a";
    for await (const each of sent.collect({ filter, max: 2, timeMs })) {
      seen.push(each.rest);
      await each.update(`${seen.length}`);
    }
    const { id } = await bot.client.messages.send(stage.channelId, { content: "Other", components });
    return [...seen, id];
  });
  expect(await press("a")).toBe("1");
  expect(await press("b")).toBe("handler of b");
  expect(await press("a", stage.owner)).toBe("handler of a");
  expect(await press("a")).toBe("2");
  const [seen] = await end();
  expect(seen).toEqual(["a", "a", expect.any(String)]);
  expect(await press("a")).toBe("handler of a");
});

test("the next press is waited for, of an ephemeral message and of one that was sent otherwise", async () => {
  const first = await ask(async (sent) => {
    const press = await sent.nextPress({ timeMs });
    await press?.update({ content: `pressed ${press.customId}`, components: [] });
    return sent.id;
  }, true);
  expect(await first.press("b")).toBe("pressed b");
  expect(await first.end()).toEqual([null]);
  await first.stop();

  const second = await ask(async (_, __, bot) => {
    const { id } = await bot.client.messages.send(stage.channelId, { content: "Other", components });
    const collector = bot.collect(id, { timeMs, max: 1 });
    const pressed = stage.press(id, "a");
    for await (const press of collector) await press.reply("got it");
    return (await pressed).message?.content;
  });
  expect(await second.end()).toEqual(["got it"]);
});

test("a collector is done after its time, on abort and once the loop is left, and takes nothing then", async () => {
  const { press, end } = await ask(async (sent) => {
    const done: unknown[] = [await sent.nextPress({ timeMs: 5 })];
    const stop = new AbortController();
    const collector = sent.collect({ timeMs, signal: stop.signal });
    const waiting = collector.next();
    stop.abort();
    done.push((await waiting).done, (await collector.next()).done);
    done.push((await sent.collect({ timeMs, signal: stop.signal }).next()).done);
    for await (const each of sent.collect({ timeMs })) {
      await each.update("left");
      break;
    }
    return done;
  });
  expect(await press("a")).toBe("left");
  expect(await end()).toEqual([[null, true, true, true]]);
  expect(await press("a")).toBe("handler of a");
});

test("a filter's error ends its collector, and a stop ends all, and forms that are waited for, without a failure", async () => {
  const filter = () => {
    throw new Error("wrong filter");
  };
  const wrong = await ask((sent) => sent.nextPress({ timeMs, filter }));
  expect(await wrong.press("a")).toBe("handler of a");
  expect(await wrong.end()).toEqual([expect.objectContaining({ message: "wrong filter" })]);
  await waitUntil(() => wrong.log.some((line) => line.includes("wrong filter")), patience);
  await wrong.stop();

  const stopped = await ask((sent) => sent.nextPress({ timeMs }));
  await stopped.stop();
  expect(await stopped.end()).toEqual([expect.objectContaining({ code: "gateway_closed" })]);
  expect(stopped.log.filter((line) => line.includes("failed"))).toEqual([]);

  const form = await run((bot) =>
    bot.command("form", does, ({ modal }) => modal({ title: "T", fields: { a: { label: "A" } } })),
  );
  await stage.use("form");
  await form.stop();
  expect(form.log.filter((line) => line.includes("failed"))).toEqual([]);
});
