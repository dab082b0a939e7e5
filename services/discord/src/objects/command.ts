import type { Command, CommandOption, OptionType, OwnCommand } from "@parley/contracts";
import {
  type APIApplicationCommand,
  type APIApplicationCommandOption,
  ApplicationIntegrationType,
  InteractionContextType,
  ApplicationCommandOptionType as Type,
} from "discord-api-types/v10";
import { z } from "zod";
import { snowflakeOf } from "../ids/snowflake.js";
import { neededPermissions, toDiscordBits } from "../permissions.js";
import { discordError, type FaultPath, unsupported } from "../rest/errors.js";
import type { CommandInput, OptionInput } from "./command-input.js";
import { ownNameOf, plainName } from "./command-names.js";
import { contextTypes, type InvokedCommand } from "./interaction.js";

const optionTypes: Record<OptionType, Type> = {
  string: Type.String,
  integer: Type.Integer,
  number: Type.Number,
  boolean: Type.Boolean,
  user: Type.User,
  channel: Type.Channel,
  role: Type.Role,
};
const ownTypes = new Map(Object.entries(optionTypes).map(([own, type]) => [type, own as OptionType]));
const ownContexts: Record<number, Command["context"]> = { 1: "server", 2: "user", 3: "message" };

/** What is kept with a command of ours: its place in Discord's form, and where it was registered. */
const Form = z.object({
  path: z.array(z.string()).min(1),
  /** Among the bot's commands of all servers. */
  isGlobal: z.boolean(),
  /** Servers that it was registered for alone, by UUID. */
  serverIds: z.array(z.string()),
  /** Names of options as the bot sent them, by ours, where they differ. */
  names: z.record(z.string(), z.string()).optional(),
  /** The whole command as the bot sent it, with the first of its parts. */
  sent: z.record(z.string(), z.unknown()).optional(),
});
type Form = z.infer<typeof Form>;
export type NewCommand = Omit<OwnCommand, "id" | "form" | "server_ids"> & {
  readonly form: Form;
  readonly former_name?: string | undefined;
};
export interface PlacedCommand {
  readonly command: NewCommand;
  /** Where it stands in the command that the bot sent. */
  readonly place: FaultPath;
}
/** Where commands are registered: for a server by its UUID, or for all of them. */
export interface Registry {
  readonly serverId: string | null;
}

/** The form of a command; one that was stored without it is of all servers. */
function formOf({ name, description, context, form }: OwnCommand): Form {
  const read = Form.safeParse(form);
  if (read.success) return read.data;
  const path = [context === "server" ? name : description];
  return { path, isGlobal: true, serverIds: [] };
}

/** The commands of ours for one of a bot: one for each subcommand. @throws DiscordError 50035 for types that are not served */
export function fromCommand(input: CommandInput, { serverId }: Registry): PlacedCommand[] {
  const context = ownContexts[input.type ?? 1] ?? "server";
  const { default_member_permissions: bits, options } = input;
  const default_permissions = bits === null || bits === undefined ? null : neededPermissions(bits);
  const sent = { ...input, default_member_permissions: bits?.toString() ?? null };
  const leaves: Leaf[] =
    context === "server"
      ? leavesOf({ path: [input.name], description: input.description ?? "", options: options ?? [], place: [] })
      : // They have no description: it is the name.
        [{ path: [input.name], description: input.name, options: [], place: [] }];
  return leaves.map(({ path, description, options, place }, index) => ({
    place,
    command: {
      context,
      default_permissions,
      name: ownNameOf(path),
      description: description === "" ? "-" : description,
      options: options.map((option, at) => fromOption(option, [...place, "options", at])),
      form: {
        path: [...path],
        isGlobal: serverId === null,
        serverIds: serverId === null ? [] : [serverId],
        ...namesOf(options),
        ...(index === 0 ? { sent } : {}),
      },
    },
  }));
}

function namesOf(options: readonly OptionInput[]): Pick<Form, "names"> {
  const others = options.map(({ name }) => [plainName(name), name] as const).filter(([own, name]) => own !== name);
  return others.length === 0 ? {} : { names: Object.fromEntries(others) };
}

export const keyOf = ({ context, name }: Pick<OwnCommand, "context" | "name">) => `${context} ${name}`;

/**
 * The whole list of a bot after a change in the list of one server, or of all.
 *
 * @param change.removed commands that leave the list
 * @param change.wanted commands that come into it: of two with one name the new one counts everywhere
 */
export function mergeCommands(
  all: readonly OwnCommand[],
  { removed, wanted, serverId }: Registry & { removed: ReadonlySet<OwnCommand>; wanted: readonly NewCommand[] },
): (NewCommand & { server_ids: readonly string[] | null })[] {
  const merged = new Map<string, NewCommand>();
  for (const command of all) {
    const form = formOf(command);
    const leaves = removed.has(command);
    const serverIds = form.serverIds.filter((id) => !leaves || id !== serverId);
    merged.set(keyOf(command), {
      ...command,
      form: { ...form, serverIds, isGlobal: form.isGlobal && !(leaves && serverId === null) },
    });
  }
  for (const command of wanted) {
    const key = keyOf(command);
    const { serverIds = [], isGlobal = false } = merged.get(key)?.form ?? {};
    // Behind the others, in the order in which they are wanted.
    merged.delete(key);
    const { form } = command;
    merged.set(key, {
      ...command,
      form: {
        ...form,
        serverIds: [...new Set([...serverIds, ...form.serverIds])],
        isGlobal: isGlobal || form.isGlobal,
      },
    });
  }
  return [...merged.values()]
    .filter(({ form: { isGlobal, serverIds } }) => isGlobal || serverIds.length > 0)
    .map((command) => ({ ...command, server_ids: command.form.isGlobal ? null : command.form.serverIds }));
}

interface Leaf {
  readonly path: readonly string[];
  readonly description: string;
  readonly options: readonly OptionInput[];
  /** Where it stands in the command as the bot sent it. */
  readonly place: FaultPath;
}

function leavesOf(leaf: Leaf): Leaf[] {
  const { path, options, place } = leaf;
  const isSub = ({ type }: OptionInput) => type === Type.Subcommand || type === Type.SubcommandGroup;
  if (!options.some(isSub)) return [leaf];
  return options.flatMap((sub, index) => {
    const { name, description } = sub;
    const inner = { path: [...path, name], description, options: sub.options ?? [] };
    return isSub(sub) ? leavesOf({ ...inner, place: [...place, "options", index] }) : [];
  });
}

function fromOption(option: OptionInput, place: FaultPath): CommandOption {
  const type = ownTypes.get(option.type);
  if (type === undefined) throw unsupported([...place, "type"], `The type ${option.type}`);
  const { name, description, required, choices, autocomplete } = option;
  return {
    name: plainName(name),
    description,
    type,
    required: required ?? false,
    choices: choices?.length ? choices.map((choice) => ({ name: choice.name, value: choice.value })) : null,
    min: option.min_value ?? option.min_length ?? null,
    max: option.max_value ?? option.max_length ?? null,
    autocomplete: autocomplete ?? false,
  };
}

/** A command of Discord's form, and the commands of ours that it consists of. */
export interface ShownCommand {
  readonly command: APIApplicationCommand;
  readonly parts: readonly OwnCommand[];
}

/** Discord's commands of a list, for those of a bot, in their order. */
export function toCommands(commands: readonly OwnCommand[], botUserId: string, { serverId }: Registry): ShownCommand[] {
  const groups = new Map<string, OwnCommand[]>();
  for (const command of commands) {
    const { path, isGlobal, serverIds } = formOf(command);
    if (!(serverId === null ? isGlobal : serverIds.includes(serverId))) continue;
    const key = `${command.context} ${path[0]}`;
    groups.set(key, [...(groups.get(key) ?? []), command]);
  }
  return [...groups.values()].map((parts) => ({ command: toCommand(parts, botUserId, serverId), parts }));
}

function toCommand(parts: readonly OwnCommand[], botUserId: string, serverId: string | null): APIApplicationCommand {
  const [first] = parts;
  if (first === undefined) throw new Error("A command has at least one part");
  const forms = parts.map(formOf);
  const sent = forms.find((form) => form.sent !== undefined)?.sent as Partial<APIApplicationCommand> | undefined;
  const isText = first.context === "server";
  return {
    name: forms[0]?.path[0] ?? first.name,
    ...(isText ? { options: nested(parts, 1) } : {}),
    default_member_permissions: first.default_permissions === null ? null : toDiscordBits(first.default_permissions),
    ...sent,
    description: isText ? (sent?.description ?? first.description) : "",
    name_localizations: sent?.name_localizations ?? null,
    description_localizations: sent?.description_localizations ?? null,
    id: snowflakeOf(first.id),
    application_id: snowflakeOf(botUserId),
    version: snowflakeOf(first.id),
    type: contextTypes[first.context],
    dm_permission: false,
    nsfw: sent?.nsfw ?? false,
    integration_types: sent?.integration_types ?? [ApplicationIntegrationType.GuildInstall],
    contexts: sent?.contexts ?? (serverId === null ? [InteractionContextType.Guild] : null),
    ...(serverId === null ? {} : { guild_id: snowflakeOf(serverId) }),
  } as APIApplicationCommand;
}

/** The options of a command, or the subcommands and groups at this place of the paths. */
function nested(parts: readonly OwnCommand[], depth: number): APIApplicationCommandOption[] {
  const [first] = parts;
  if (parts.length === 1 && first !== undefined && formOf(first).path.length === depth)
    return first.options.map(toOption);
  const groups = new Map<string, OwnCommand[]>();
  for (const part of parts) {
    const name = formOf(part).path[depth] ?? part.name;
    groups.set(name, [...(groups.get(name) ?? []), part]);
  }
  return [...groups].map(([name, inner]) => {
    const [part] = inner;
    const isLeaf = part !== undefined && formOf(part).path.length === depth + 1;
    return {
      type: isLeaf ? Type.Subcommand : Type.SubcommandGroup,
      name,
      description: part?.description ?? name,
      options: nested(inner, depth + 1),
    } as APIApplicationCommandOption;
  });
}

function toOption({ type, name, description, required, choices, min, max, autocomplete }: CommandOption) {
  const isText = type === "string";
  return {
    type: optionTypes[type],
    name,
    description,
    required,
    ...(choices === null ? {} : { choices }),
    ...(min === null ? {} : isText ? { min_length: min } : { min_value: min }),
    ...(max === null ? {} : isText ? { max_length: max } : { max_value: max }),
    ...(autocomplete ? { autocomplete } : {}),
  } as APIApplicationCommandOption;
}

/** How a command is invoked in Discord's form. @throws DiscordError 10063 for one that is not among them */
export function invokedCommand(commands: readonly OwnCommand[], commandId: string): InvokedCommand {
  const own = commands.find(({ id }) => id === commandId);
  if (own === undefined) throw discordError(10063);
  const form = formOf(own);
  const siblings = commands.filter((other) => other.context === own.context && formOf(other).path[0] === form.path[0]);
  return {
    id: siblings[0]?.id ?? own.id,
    path: form.path,
    isOfServers: !form.isGlobal,
    types: Object.fromEntries(own.options.map(({ name, type }) => [name, optionTypes[type]])),
    names: form.names ?? {},
  };
}
