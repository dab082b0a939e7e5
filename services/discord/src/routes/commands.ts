import type { Command } from "@parley/contracts";
import { z } from "zod";
import { isShown, snowflakeOf } from "../ids/snowflake.js";
import {
  type CommandInput,
  commandInput,
  fromCommand,
  type OwnCommand,
  type ShownCommand,
  toCommands,
} from "../objects/command.js";
import { discordError } from "../rest/errors.js";
import { readInput } from "../rest/input.js";
import { Answer, type BotCall, type Method, noContent, route } from "../rest/route.js";
import { serverOf } from "./guilds.js";

/** Which list a route is about: that of the bot, or that of its commands of servers. */
interface List {
  readonly isGuild: boolean;
  readonly guildId: string | null;
}

async function listOf(call: BotCall): Promise<List> {
  const { api, bot, params } = call;
  if (params.application_id !== snowflakeOf(bot.userId)) throw discordError(20012);
  if (params.guild_id === undefined) return { isGuild: false, guildId: null };
  // A bot that is no member has no commands there.
  await api.get(`/servers/${await serverOf(call)}`);
  return { isGuild: true, guildId: params.guild_id };
}

async function loadAll({ api, bot }: BotCall): Promise<ShownCommand[]> {
  const { commands } = await api.get<{ commands: Command[] }>("/bots/@me/commands");
  return toCommands(commands.filter(isShown), bot.userId);
}

const shown = ({ command }: ShownCommand, { guildId }: List) =>
  guildId === null ? command : { ...command, guild_id: guildId };

/** Stores a list beside that of the other kind; a command in both counts once, as the new one. */
async function store(call: BotCall, list: List, wanted: readonly OwnCommand[], others: readonly ShownCommand[]) {
  const keys = new Set(wanted.map(({ context, name }) => `${context} ${name}`));
  const kept = others.flatMap(({ parts }) => parts).filter(({ context, name }) => !keys.has(`${context} ${name}`));
  const commands = [...kept, ...wanted];
  if (commands.length > 100) throw discordError(30032);
  await call.api.send("PUT", "/bots/@me/commands", { commands });
  return (await loadAll(call)).filter(({ isGuild }) => isGuild === list.isGuild);
}

const typeOf = ({ type }: Pick<CommandInput, "type">) => type ?? 1;
const isSame = (input: CommandInput, { command }: ShownCommand) =>
  command.name === input.name && command.type === typeOf(input);

/** The stored command, with the fields that the bot sent and nobody stores. */
function answered(found: ShownCommand | undefined, input: CommandInput, list: List) {
  if (found === undefined) throw discordError(10063);
  const { name_localizations, description_localizations, description, contexts, integration_types, nsfw } = input;
  return {
    ...shown(found, list),
    name_localizations: name_localizations ?? null,
    description_localizations: description_localizations ?? null,
    description: typeOf(input) === 1 ? (description ?? "") : "",
    ...(input.options ? { options: input.options } : {}),
    ...(contexts ? { contexts } : {}),
    ...(integration_types ? { integration_types } : {}),
    nsfw: nsfw ?? false,
  };
}

async function replaceAll(call: BotCall) {
  const list = await listOf(call);
  const inputs = readInput(z.array(commandInput).max(100), call.body);
  const others = (await loadAll(call)).filter(({ isGuild }) => isGuild !== list.isGuild);
  const stored = await store(
    call,
    list,
    inputs.flatMap((input) => fromCommand(input, list.isGuild)),
    others,
  );
  return inputs.map((input) =>
    answered(
      stored.find((each) => isSame(input, each)),
      input,
      list,
    ),
  );
}

async function createOne(call: BotCall) {
  const list = await listOf(call);
  const input = readInput(commandInput, call.body);
  const all = await loadAll(call);
  const isOther = (each: ShownCommand) => each.isGuild !== list.isGuild || !isSame(input, each);
  const stored = await store(call, list, fromCommand(input, list.isGuild), all.filter(isOther));
  const isNew = all.every(isOther);
  return new Answer(
    isNew ? 201 : 200,
    answered(
      stored.find((each) => isSame(input, each)),
      input,
      list,
    ),
  );
}

async function findOne(call: BotCall) {
  const list = await listOf(call);
  const all = await loadAll(call);
  const found = all.find(({ command, isGuild }) => command.id === call.params.command_id && isGuild === list.isGuild);
  if (found === undefined) throw discordError(10063);
  return { list, all, found };
}

async function changeOne(call: BotCall) {
  const { list, all, found } = await findOne(call);
  const before = { ...found.command, options: found.command.options ?? null };
  const input = readInput(commandInput, { ...before, ...(call.body as object), type: before.type });
  const others = all.filter((each) => each !== found);
  const stored = await store(call, list, fromCommand(input, list.isGuild), others);
  return answered(
    stored.find((each) => isSame(input, each)),
    input,
    list,
  );
}

async function deleteOne(call: BotCall) {
  const { list, all, found } = await findOne(call);
  await store(
    call,
    list,
    [],
    all.filter((each) => each !== found),
  );
  return noContent;
}

/** Both addresses of a route of commands: the bot's, and those of a server. */
const both = (method: Method, path: string, answer: (call: BotCall) => Promise<unknown>) =>
  ["/applications/:application_id/commands", "/applications/:application_id/guilds/:guild_id/commands"].map((base) =>
    route(method, `${base}${path}`, answer),
  );

const guildCommands = "/applications/:application_id/guilds/:guild_id/commands";

export const commandRoutes = [
  // Only the rights of members decide who may use a command.
  route("GET", `${guildCommands}/permissions`, async (call) => {
    await listOf(call);
    return [];
  }),
  route("GET", `${guildCommands}/:command_id/permissions`, async (call) => {
    const { list, found } = await findOne(call);
    return {
      id: found.command.id,
      application_id: found.command.application_id,
      guild_id: list.guildId,
      permissions: [],
    };
  }),
  ...both("GET", "", async (call) => {
    const list = await listOf(call);
    return (await loadAll(call)).filter(({ isGuild }) => isGuild === list.isGuild).map((each) => shown(each, list));
  }),
  ...both("PUT", "", replaceAll),
  ...both("POST", "", createOne),
  ...both("GET", "/:command_id", async (call) => {
    const { list, found } = await findOne(call);
    return shown(found, list);
  }),
  ...both("PATCH", "/:command_id", changeOne),
  ...both("DELETE", "/:command_id", deleteOne),
];
