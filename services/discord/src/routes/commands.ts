import type { OwnCommand } from "@parley/contracts";
import { isShown, snowflakeOf } from "../ids/snowflake.js";
import { fromCommand, keyOf, mergeCommands, type Registry, type ShownCommand, toCommands } from "../objects/command.js";
import { type CommandInput, commandInput, commandsInput } from "../objects/command-input.js";
import { discordError, type FaultPath, movedFaults } from "../rest/errors.js";
import { readInput } from "../rest/input.js";
import { Answer, type BotCall, type Method, route } from "../rest/route.js";
import { serverOf } from "./guilds.js";

/** The list that a route is about: that of the bot, or that of a server. */
async function registryOf(call: BotCall): Promise<Registry> {
  const { api, bot, params } = call;
  if (params.application_id !== snowflakeOf(bot.userId)) throw discordError(20012);
  if (params.guild_id === undefined) return { serverId: null };
  // A bot that is no member has no commands there.
  const serverId = await serverOf(call);
  await api.get(`/servers/${serverId}`);
  return { serverId };
}

interface List {
  readonly registry: Registry;
  /** All commands of the bot, as they are stored. */
  readonly all: readonly OwnCommand[];
  readonly shown: readonly ShownCommand[];
}

async function listOf(call: BotCall): Promise<List> {
  const registry = await registryOf(call);
  const { commands } = await call.api.get<{ commands: OwnCommand[] }>("/bots/@me/commands");
  const all = commands.filter(isShown);
  return { registry, all, shown: toCommands(all, call.bot.userId, registry) };
}

/**
 * Stores a list with some commands in place of others, beside the lists of other servers.
 *
 * @param change.placeOf where the command of an input stands in the body
 * @param change.renamed the command whose id the new one keeps, whatever its name is
 * @returns it
 */
async function store(
  call: BotCall,
  { registry, all }: List,
  change: {
    removed: readonly ShownCommand[];
    inputs: readonly CommandInput[];
    placeOf?: (index: number) => FaultPath;
    renamed?: ShownCommand;
  },
): Promise<ShownCommand[]> {
  const { removed, inputs, renamed, placeOf = () => [] } = change;
  const parts = new Set(removed.flatMap((each) => each.parts));
  const placed = inputs.flatMap((input, index) => {
    try {
      return fromCommand(input, registry).map(({ command, place }) => ({
        command,
        place: [...placeOf(index), ...place],
      }));
    } catch (error) {
      throw movedFaults(error, (path) => [...placeOf(index), ...path]);
    }
  });
  const wanted = placed.map(({ command }, index) => ({ ...command, former_name: renamed?.parts[index]?.name }));
  const commands = mergeCommands(all, { removed: parts, wanted, ...registry });
  if (commands.length > 100) throw discordError(30032);
  const places = new Map(placed.map(({ command, place }) => [keyOf(command), place]));
  const stored = await call.api
    .send<{ commands: OwnCommand[] }>("PUT", "/bots/@me/commands", { commands })
    .catch((error: unknown) => {
      // The api names a command by its place among all that are stored.
      throw movedFaults(error, ([list, index, ...rest]) => {
        const command = list === "commands" ? commands[Number(index)] : undefined;
        return [...((command && places.get(keyOf(command))) ?? []), ...rest];
      });
    });
  return toCommands(stored.commands.filter(isShown), call.bot.userId, registry);
}

const isSame = ({ name, type }: CommandInput, { command }: ShownCommand) =>
  command.name === name && command.type === (type ?? 1);

function answered(stored: readonly ShownCommand[], input: CommandInput) {
  const found = stored.find((each) => isSame(input, each));
  if (found === undefined) throw discordError(10063);
  return found.command;
}

async function replaceAll(call: BotCall) {
  const list = await listOf(call);
  const inputs = readInput(commandsInput, call.body);
  const stored = await store(call, list, { removed: list.shown, inputs, placeOf: (index) => [index] });
  return inputs.map((input) => answered(stored, input));
}

async function createOne(call: BotCall) {
  const list = await listOf(call);
  const input = readInput(commandInput, call.body);
  const removed = list.shown.filter((each) => isSame(input, each));
  const stored = await store(call, list, { removed, inputs: [input] });
  return new Answer(removed.length === 0 ? 201 : 200, answered(stored, input));
}

async function findOne(call: BotCall) {
  const list = await listOf(call);
  const found = list.shown.find(({ command }) => command.id === call.params.command_id);
  if (found === undefined) throw discordError(10063);
  return { list, found };
}

async function changeOne(call: BotCall) {
  const { list, found } = await findOne(call);
  const before = { ...found.command, options: found.command.options ?? null };
  const input = readInput(commandInput, { ...before, ...(call.body as object), type: before.type });
  return answered(await store(call, list, { removed: [found], inputs: [input], renamed: found }), input);
}

async function deleteOne(call: BotCall) {
  const { list, found } = await findOne(call);
  await store(call, list, { removed: [found], inputs: [] });
}

/** A change of a bot's list, which is read and stored as a whole: one at a time, or the later one would undo the other. */
const changing =
  (change: (call: BotCall) => Promise<unknown>) =>
  (call: BotCall): Promise<unknown> =>
    call.inTurn(`commands of ${call.bot.botId}`, () => change(call));

/** Both addresses of a route of commands: the bot's, and those of a server. */
const both = (method: Method, path: string, answer: (call: BotCall) => Promise<unknown>) =>
  ["/applications/:application_id/commands", "/applications/:application_id/guilds/:guild_id/commands"].map((base) =>
    route(method, `${base}${path}`, answer),
  );

const guildCommands = "/applications/:application_id/guilds/:guild_id/commands";

export const commandRoutes = [
  // Only the rights of members decide who may use a command.
  route("GET", `${guildCommands}/permissions`, async (call) => {
    await registryOf(call);
    return [];
  }),
  route("GET", `${guildCommands}/:command_id/permissions`, async (call) => {
    const { id, application_id, guild_id } = (await findOne(call)).found.command;
    return { id, application_id, guild_id, permissions: [] };
  }),
  ...both("GET", "", async (call) => (await listOf(call)).shown.map(({ command }) => command)),
  ...both("PUT", "", changing(replaceAll)),
  ...both("POST", "", changing(createOne)),
  ...both("GET", "/:command_id", async (call) => (await findOne(call)).found.command),
  ...both("PATCH", "/:command_id", changing(changeOne)),
  ...both("DELETE", "/:command_id", changing(deleteOne)),
];
