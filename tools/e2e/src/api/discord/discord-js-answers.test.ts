import { once } from "node:events";
import type { InteractionState, Message as OwnMessage } from "@parley/contracts";
import { postMessage, sharedStackWithDiscord, waitUntil } from "@parley/testing";
import {
  ActionRowBuilder,
  type AutocompleteInteraction,
  ButtonBuilder,
  type ButtonInteraction,
  ButtonStyle,
  type ChatInputCommandInteraction,
  Client,
  EmbedBuilder,
  Events,
  type Interaction,
  type Message,
  MessageFlags,
  ModalBuilder,
  type ModalSubmitInteraction,
  SlashCommandBuilder,
  TextInputBuilder,
  TextInputStyle,
} from "discord.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readState } from "../apps/http-app-stage.js";
import { type AppStage, Begun, createAppStage } from "../stages/app-stage.js";
import { allIntents } from "./discord-socket.js";

// From here to the tests: a bot as guides of discord.js write it.

const commands = [
  new SlashCommandBuilder().setName("ask").setDescription("Asks with buttons"),
  new SlashCommandBuilder().setName("report").setDescription("Answers later"),
  new SlashCommandBuilder()
    .setName("open")
    .setDescription("Opens a game")
    .addStringOption((option) =>
      option.setName("line").setDescription("Which").setRequired(true).setAutocomplete(true),
    ),
];
const lines = ["Sicilian", "Scotch", "Italian"];
const button = (id: string, style: ButtonStyle) => new ButtonBuilder().setCustomId(id).setLabel(id).setStyle(style);
const rowOf = (...buttons: ButtonBuilder[]) => new ActionRowBuilder<ButtonBuilder>().addComponents(...buttons);
const buttons = () => rowOf(button("agree", ButtonStyle.Success), button("explain", ButtonStyle.Secondary));

async function onMessage(message: Message): Promise<void> {
  if (message.author.bot || message.content !== "!ping") return;
  await message.reply("Pong!");
  await message.react("👍");
}

async function onCommand(interaction: ChatInputCommandInteraction): Promise<void> {
  if (interaction.commandName === "ask") {
    await interaction.reply({ content: "Agreed?", components: [buttons()] });
    return;
  }
  if (interaction.commandName === "open") {
    await interaction.reply(`Opened ${interaction.options.getString("line")}`);
    return;
  }
  await interaction.deferReply();
  const embed = new EmbedBuilder().setTitle("Report").setColor(0x00ff00).addFields({ name: "Games", value: "3" });
  await interaction.editReply({ embeds: [embed] });
  await interaction.followUp({ content: "For you alone", flags: MessageFlags.Ephemeral });
}

async function onButton(interaction: ButtonInteraction): Promise<void> {
  if (interaction.customId === "agree") {
    const agreed = button("agree", ButtonStyle.Success).setDisabled(true);
    await interaction.update({ content: `Agreed by ${interaction.user}`, components: [rowOf(agreed)] });
    return;
  }
  const field = new TextInputBuilder().setCustomId("why").setLabel("Why?").setStyle(TextInputStyle.Paragraph);
  const row = new ActionRowBuilder<TextInputBuilder>().addComponents(field);
  await interaction.showModal(new ModalBuilder().setCustomId("reasons").setTitle("Reasons").addComponents(row));
}

async function onModal(interaction: ModalSubmitInteraction): Promise<void> {
  await interaction.reply({
    content: `Because ${interaction.fields.getTextInputValue("why")}`,
    flags: MessageFlags.Ephemeral,
  });
}

async function onAutocomplete(interaction: AutocompleteInteraction): Promise<void> {
  const typed = interaction.options.getFocused();
  await interaction.respond(lines.filter((line) => line.startsWith(typed)).map((name) => ({ name, value: name })));
}

async function onInteraction(interaction: Interaction): Promise<void> {
  if (interaction.isChatInputCommand()) await onCommand(interaction);
  else if (interaction.isButton()) await onButton(interaction);
  else if (interaction.isModalSubmit()) await onModal(interaction);
  else if (interaction.isAutocomplete()) await onAutocomplete(interaction);
}

let stage: AppStage;
let client: Client<true>;
const failures: unknown[] = [];
const heard = <Args extends unknown[]>(listener: (...args: Args) => Promise<void>) => {
  return (...args: Args) => void listener(...args).catch((error: unknown) => failures.push(error));
};

beforeAll(async () => {
  const stack = await sharedStackWithDiscord();
  stage = await createAppStage(stack.edgeUrl, []);
  const made = new Client({ intents: allIntents, rest: { api: `${stack.edgeUrl}/discord/api` } });
  made.on(Events.MessageCreate, heard(onMessage));
  made.on(Events.InteractionCreate, heard(onInteraction));
  const ready = once(made, Events.ClientReady);
  await made.login(stage.bot.token);
  await ready;
  client = made as Client<true>;
  await client.application.commands.set(commands);
});
afterAll(() => client?.destroy());

// Actions of users, over Parley's own interface.

async function begin(body: object): Promise<string> {
  const begun = await stage.member.post(`/channels/${stage.channelId}/interactions`, body);
  return begun.expect(202, Begun).id;
}

async function use(name: string, fields: object = {}): Promise<string> {
  const { body } = await stage.member.get(`/channels/${stage.channelId}/commands`);
  const { bots } = body as { bots: { commands: { id: string; name: string }[] }[] };
  const command_id = bots.flatMap((bot) => bot.commands).find((command) => command.name === name)?.id;
  return begin({ bot_user_id: stage.bot.userId, command_id, options: {}, ...fields });
}

/** How an interaction stands once it fulfils the predicate. */
const state = (id: string, what: (state: InteractionState) => boolean = ({ state }) => state === "answered") =>
  waitUntil(
    async () => {
      const found = await readState(stage, id);
      expect(failures).toEqual([]);
      return what(found) ? found : undefined;
    },
    { what: `an answer of the bot to ${id}` },
  );

const read = async (id: string): Promise<OwnMessage> =>
  (await stage.member.get(`/channels/${stage.channelId}/messages/${id}?include=reactions`)).body as OwnMessage;

describe("an unmodified bot written with discord.js", () => {
  test("answers a prefix command with a reply and a reaction", async () => {
    const asked = await postMessage(stage.member, stage.channelId, "!ping");
    const isReply = ({ content, reply_to }: OwnMessage) => content === "Pong!" && reply_to === asked.id;
    const replied = async () => {
      const { body } = await stage.member.get(`/channels/${stage.channelId}/messages`);
      return (body as OwnMessage[]).find(isReply);
    };
    expect(await waitUntil(replied, { what: "the reply" })).toMatchObject({ author_id: stage.bot.userId });
    const reactions = async () => ((await read(asked.id)) as { reactions?: unknown[] }).reactions?.[0];
    expect(await waitUntil(reactions, { what: "the reaction" })).toMatchObject({ emoji: "👍", count: 1 });
    expect(failures).toEqual([]);
  });

  test("answers a command with two buttons: one updates the message, one opens a form", async () => {
    const { message } = await state(await use("ask"));
    expect(message).toMatchObject({
      content: "Agreed?",
      components: [
        [
          { custom_id: "agree", style: "success" },
          { custom_id: "explain", style: "secondary" },
        ],
      ],
    });
    const message_id = message?.id;
    const opened = await begin({ message_id, custom_id: "explain" });
    const { modal } = await state(opened);
    expect(modal).toMatchObject({ title: "Reasons", fields: [{ id: "why", label: "Why?", style: "paragraph" }] });
    const submitted = await begin({ interaction_id: opened, modal_id: modal?.modal_id, fields: { why: "it is late" } });
    expect((await state(submitted)).message).toMatchObject({ content: "Because it is late", ephemeral: true });
    await state(await begin({ message_id, custom_id: "agree" }));
    expect(await read(message_id ?? "")).toMatchObject({
      content: `Agreed by @${stage.member.user.username}`,
      components: [[{ custom_id: "agree", disabled: true }]],
    });
  });

  test("answers later with an embed, and then the invoker alone", async () => {
    const id = await use("report");
    const { message: whispered } = await state(id, ({ message }) => message?.content === "For you alone");
    expect(whispered).toMatchObject({ ephemeral: true });
    const { body } = await stage.member.get(`/channels/${stage.channelId}/messages`);
    const answer = (body as (OwnMessage & { interaction?: { id: string } })[]).find(
      (each) => each.interaction?.id === id,
    );
    expect(answer?.embeds).toMatchObject([{ title: "Report", fields: [{ name: "Games", value: "3" }] }]);
  });

  test("completes the typed option, and is used with it", async () => {
    const typed = await use("open", { options: { line: "S" }, focused: "line", autocomplete: true });
    const { choices } = await state(typed);
    expect(choices?.map(({ value }) => value)).toEqual(["Sicilian", "Scotch"]);
    const { message } = await state(await use("open", { options: { line: "Scotch" } }));
    expect(message?.content).toBe("Opened Scotch");
  });
});
