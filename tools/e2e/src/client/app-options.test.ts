import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compileStrictly, installPackedClient, platformOnly } from "./packed-client.js";

/** Programs that the types of a bot's commands accept, and that they refuse. */
const program = `
  import { button, createBot, embed, Permission, rows, select, selectFrom, type InteractionMessage } from "@parley/client";
  const bot = createBot({ url: "http://localhost", token: "t" });
  type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
  const same = <One, Other>(_: Same<One, Other>) => undefined;

  bot.command(
    "open",
    {
      description: "Opens",
      defaultPermissions: Permission.MANAGE_MESSAGES,
      options: {
        line: { type: "string", description: "x", required: true, min: 1 },
        count: { type: "integer", description: "x" },
        ratio: { type: "number", description: "x", required: true },
        rated: { type: "boolean", description: "x" },
        who: { type: "user", description: "x", required: true },
        where: { type: "channel", description: "x" },
        side: { type: "string", description: "x", required: true, choices: ["white", { name: "Black", value: "black" }] },
        size: { type: "integer", description: "x", choices: [9, 19] },
        name: { type: "string", description: "x", autocomplete: (typed) => [typed.toUpperCase()] },
        level: { type: "number", description: "x", autocomplete: async (typed, { user }) => [user.id.length, { name: typed, value: 1 }] },
      },
    },
    async ({ options, target, user, member, permissions, locale, reply, defer, followUp, modal }) => {
      same<typeof options.line, string>(true);
      same<typeof options.count, number | undefined>(true);
      same<typeof options.ratio, number>(true);
      same<typeof options.rated, boolean | undefined>(true);
      same<typeof options.who, string>(true);
      same<typeof options.where, string | undefined>(true);
      same<typeof options.side, "white" | "black">(true);
      same<typeof options.size, 9 | 19 | undefined>(true);
      same<typeof options.name, string | undefined>(true);
      same<typeof options.level, number | undefined>(true);
      same<typeof target, null>(true);
      same<typeof locale, string | null>(true);
      // @ts-expect-error no such option
      options.missing;
      await defer({ ephemeral: true });
      const sent = await reply({ content: user.username + member.user_id + permissions, ephemeral: true, components: rows(button("A", "a", "danger"), select("s", ["a"]), selectFrom("role", "r")) });
      for await (const press of sent.collect({ timeMs: 1, filter: ({ customId }) => customId === "a" })) await press.update("x");
      // @ts-expect-error a collector has an end
      sent.collect({ max: 1 });
      await followUp({ embeds: [embed({ title: "T", inline: { a: 1 } })] });
      const form = await modal({ title: "T", fields: { why: { label: "Why?" }, more: { label: "More", style: "paragraph" } } });
      if (form === null) return;
      same<typeof form.fields.why, string>(true);
      // @ts-expect-error no such field
      form.fields.because;
      // @ts-expect-error a form cannot be answered with a form
      form.modal;
      same<Awaited<ReturnType<typeof open>>, undefined>(true);
      function open() {
        return modal({ id: "form:", title: "T", fields: { a: { label: "A" } } });
      }
      // @ts-expect-error the content is a text
      await reply({ content: 5 });
      // @ts-expect-error nothing of that name
      await defer({ private: true });
    },
  );
  bot.command("none", { description: "x" }, ({ options }) => {
    // @ts-expect-error a command without options has none
    options.a.length;
  });
  bot.command("quote", { description: "x", context: "message" }, ({ target }) => same<typeof target, InteractionMessage>(true));
  bot.command("greet", { description: "x", context: "user" }, ({ target }) => same<typeof target, { readonly id: string }>(true));
  bot.command("text", ({ text, args, reply }) => reply(text + args.length));
  bot.button("a:", ({ rest, values, update }) => update({ content: rest + values.length, components: [] }));
  bot.modal("m:", ({ rest, fields, reply }) => reply(rest + fields.any));
  // @ts-expect-error a description is missing
  bot.command("bad", {}, () => undefined);
  // @ts-expect-error no such type
  bot.command("bad", { description: "x", options: { a: { type: "date", description: "x" } } }, () => undefined);
  // @ts-expect-error choices are of the type
  bot.command("bad", { description: "x", options: { a: { type: "integer", description: "x", choices: ["a"] } } }, () => undefined);
  // @ts-expect-error a user is not completed
  bot.command("bad", { description: "x", options: { a: { type: "user", description: "x", autocomplete: () => [] } } }, () => undefined);
`;

test("the values of a command have the types that its options say, and what fits nothing is refused", async () => {
  const project = await installPackedClient();
  await writeFile(join(project, "apps.mts"), program);
  expect(await compileStrictly(project, "apps.mts", platformOnly)).toBe("");
});
