import { button, embed, type InteractionState, rows, select } from "@parley/client";
import { connectGateway, sharedStack, waitUntil } from "@parley/testing";
import { expect, test } from "vitest";
import { type AppBotStage, patience, runBot, useBots } from "./app-bot-stage.js";

let stage: AppBotStage;
const { run, stops } = useBots((made) => {
  stage = made;
});
const does = { description: "Does something" };
const failed = { state: "answered", message: { content: "Something went wrong.", ephemeral: true } };
const contentOf = ({ message }: InteractionState) => message?.content;

test("a command comes with its values and its invoker, who gets the answer on every gateway", async () => {
  const { gateways } = await sharedStack();
  const token = stage.member.tokens?.accessToken ?? "";
  const sockets = gateways.map(({ url }) => connectGateway(url, "", { query: `token=${token}&v=2` }));
  stops.push(() => Promise.all(sockets.map((socket) => socket.close())));
  for (const socket of sockets) await socket.ready;
  await run((bot) =>
    bot
      .on("SERVER_LEAVE", () => undefined)
      .command(
        "open",
        {
          ...does,
          options: {
            line: { type: "string", description: "Which", choices: ["Sicilian", { name: "Ruy Lopez", value: "C60" }] },
            whose: { type: "user", description: "Whose" },
            moves: { type: "integer", description: "How many", required: true, min: 1 },
            rated: { type: "boolean", description: "Whether it counts" },
          },
        },
        ({ options, user, permissions, locale, target, name, reply }) =>
          reply(JSON.stringify({ ...options, by: user.id, permissions, locale, target, name })),
      ),
  );
  const state = await stage.use("open", { moves: 3, line: "C60", whose: stage.memberId });
  const by = stage.memberId;
  const more = { permissions: 123, locale: null, target: null, name: "open" };
  expect(JSON.parse(contentOf(state) ?? "")).toMatchObject({ line: "C60", whose: by, moves: 3, by, ...more });
  for (const socket of sockets) await socket.waitFor("INTERACTION_UPDATE", ({ id }) => id === state.id);
  expect(sockets.length).toBeGreaterThan(1);
});

test("an answer is for all or for one, at once or later, and more may follow it", async () => {
  let goOn: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const { log } = await run((bot) => {
    bot.command("whisper", does, ({ reply }) => reply({ content: "psst", ephemeral: true }));
    bot.command("later", does, async ({ defer, reply, followUp }) => {
      await defer({ ephemeral: true });
      await gate;
      await reply("done");
      await followUp("and more");
    });
    bot.command("twice", does, async ({ reply }) => {
      await reply("once");
      await reply("twice");
    });
    bot.command("nothing", does, () => undefined);
  });
  expect(await stage.use("whisper")).toMatchObject({ message: { content: "psst", ephemeral: true } });
  const later = await stage.use("later");
  expect(later.state).toBe("deferred");
  goOn();
  await stage.until(later.id, (now) => contentOf(now) === "and more");
  expect(await stage.use("twice")).toMatchObject({ message: { content: "once" } });
  await waitUntil(() => log.some((line) => line.includes("followUp sends more")), patience);
  await stage.ask("nothing");
  await waitUntil(() => log.includes("The handler of the command nothing ended without an answer"), patience);
  expect((await stage.said()).filter((content) => !content.startsWith("{"))).toEqual(["and more", "once"]);
});

test("interactions do not wait for other events, and one without a handler is left to those of the event", async () => {
  let isOpen = false;
  const raw: string[] = [];
  await run(
    (bot) => {
      bot.on("MESSAGE_CREATE", () => waitUntil(() => isOpen, { timeoutMs: 60_000 }));
      bot.on("INTERACTION_CREATE", ({ id }) => raw.push(id));
      bot.command("wait", does, ({ reply }) => reply({ content: "?", components: rows(button("A", "a")) }));
    },
    { concurrency: 1 },
  );
  await stage.member.messages.send(stage.channelId, { content: "a long story" });
  const asked = await stage.use("wait");
  expect(contentOf(asked)).toBe("?");
  const pressed = await stage.member.interactions.invoke(stage.channelId, {
    message_id: asked.message?.id ?? "",
    custom_id: "a",
  });
  isOpen = true;
  await waitUntil(() => raw.includes(pressed.id), patience);
  expect(await stage.member.interactions.get(pressed.id)).toMatchObject({ message: null });
});

test("commands are registered when the server has others, and not otherwise", async () => {
  const requests: string[] = [];
  const counting: typeof fetch = (input, init) => {
    const { pathname } = new URL(String(input));
    if (pathname.endsWith("/bots/@me/commands")) requests.push(init?.method ?? "GET");
    return fetch(input, init);
  };
  const start = async (description: string) => {
    const { stop, log } = await runBot(
      stage,
      (bot) =>
        bot
          .command("flag", { description, context: "message" }, ({ reply }) => reply("flagged"))
          .command(
            "play",
            {
              description,
              defaultPermissions: 4,
              options: {
                side: { type: "string", description: "Which", choices: ["white", "black"] },
                line: { type: "string", description: "Which", required: true, min: 2, autocomplete: () => [] },
              },
            },
            ({ reply }) => reply("e4"),
          ),
      { client: { fetch: counting } },
    );
    await waitUntil(() => requests.length > 0, patience);
    await stop();
    return [requests.splice(0).join(), ...log.filter((line) => line.startsWith("Commands"))];
  };
  expect(await start("Plays")).toEqual(["GET,PUT", "Commands registered: flag, play"]);
  expect(await start("Plays")).toEqual(["GET"]);
  expect(await start("Plays again")).toEqual(["GET,PUT", "Commands registered: flag, play"]);
  // A bot without commands leaves them.
  const { stop } = await runBot(stage, (bot) => bot.button("", () => undefined), { client: { fetch: counting } });
  await stop();
  expect(requests).toEqual([]);
});

test("a definition that the server refuses ends the bot with its fault", async () => {
  const started = runBot(stage, (bot) => bot.command("Big", does, () => undefined));
  await expect(started.then(({ ended }) => ended)).rejects.toMatchObject({ code: "commands_invalid" });
});

test("a press goes to the handler with the longest prefix, and a selection to those of selects", async () => {
  const { log } = await run((bot) => {
    bot.command("ask", does, ({ reply }) =>
      reply({
        embeds: [embed({ title: "Vote", inline: { votes: 0 } })],
        components: rows(
          button("Yes", "vote:yes"),
          button("Special", "vote:special:7", "danger"),
          button("Lost", "gone"),
          select("vote:pick", ["a", { label: "B", value: "b" }], { max: 2, min: 0 }),
        ),
      }),
    );
    bot.button("vote:", ({ rest, update, message }) => update(`${rest} of ${message.embeds?.[0]?.title}`));
    bot.button("vote:special:", ({ rest, reply }) => reply({ content: `special ${rest}`, ephemeral: true }));
    bot.select("vote:", ({ rest, values, reply }) => reply({ content: `${rest} ${values}`, ephemeral: true }));
  });
  const asked = (await stage.use("ask")).message?.id ?? "";
  expect(await stage.press(asked, "vote:yes")).toMatchObject({ message: { id: asked, content: "yes of Vote" } });
  expect(contentOf(await stage.press(asked, "vote:special:7"))).toBe("special 7");
  expect(contentOf(await stage.press(asked, "vote:pick", { values: ["b", "a"] }))).toBe("pick b,a");
  expect(contentOf(await stage.press(asked, "vote:pick"))).toBe("pick ");
  expect(await stage.press(asked, "gone")).toMatchObject(failed);
  expect(log).toContain("Nothing handles the component gone");
});

test("a form is waited for, or goes to the handler of its id, also when it is handed in again", async () => {
  const late: unknown[] = [];
  await run((bot) => {
    bot.command("report", does, async ({ modal }) => {
      const fields = { why: { label: "Why?" }, more: { label: "More", style: "paragraph", required: false } } as const;
      const form = await modal({ title: "Report", fields });
      await form?.reply(`${form.fields.why}, ${form.fields.more === "" ? "no more" : "more"}`);
    });
    bot.command("short", does, async ({ modal }) => {
      late.push(await modal({ title: "Quick", fields: { a: { label: "A" } } }, { timeMs: 5 }));
    });
    bot.command("apply", does, ({ modal }) =>
      modal({ id: "apply:chess", title: "Apply", fields: { name: { label: "Name", max: 9 } } }),
    );
    bot.modal("apply:", ({ rest, fields, reply }) => reply(`${fields.name} for ${rest}`));
  });
  const asked = await stage.use("report");
  expect(contentOf(await stage.handIn(asked, { why: "spam" }))).toBe("spam, no more");
  const applied = await stage.use("apply");
  expect(contentOf(await stage.handIn(applied, { name: "Ann" }))).toBe("Ann for chess");
  expect(contentOf(await stage.handIn(applied, { name: "Bob" }))).toBe("Bob for chess");
  const short = await stage.use("short");
  await waitUntil(() => late.length === 1, patience);
  expect(late).toEqual([null]);
  expect(await stage.handIn(short, { a: "x" })).toMatchObject(failed);
});

test("an option is completed while it is typed, and a command may be about a message or a user", async () => {
  await run((bot) => {
    const lines = ["Sicilian", "Scandinavian", "Slav"];
    bot.command(
      "line",
      {
        ...does,
        options: {
          name: {
            type: "string",
            description: "Which",
            autocomplete: (typed, { options }) =>
              options.name === "!" ? fail() : lines.filter((line) => line.startsWith(typed)),
          },
        },
      },
      ({ options, reply }) => reply(options.name ?? "none"),
    );
    bot.command("quote", { ...does, context: "message" }, ({ target, reply }) => reply(`> ${target.content}`));
    bot.command("greet", { ...does, context: "user" }, ({ target, reply }) => reply(`Hello, ${target.id}`));
  });
  const complete = (name: string) => stage.use("line", { name }, { focused: "name", autocomplete: true });
  const choices = ["Sicilian", "Scandinavian", "Slav"].map((name) => ({ name, value: name }));
  expect((await complete("S")).choices).toEqual(choices);
  expect((await complete("Sl")).choices).toEqual([choices[2]]);
  expect((await complete("!")).choices).toEqual([]);
  const { id } = await stage.member.messages.send(stage.channelId, { content: "e4 e5" });
  expect(contentOf(await stage.use("quote", {}, { target_id: id }))).toBe("> e4 e5");
  expect(contentOf(await stage.use("greet", {}, { target_id: stage.memberId }))).toBe(`Hello, ${stage.memberId}`);
});

const fail = (): never => {
  throw new Error("out of order");
};
