import type { Command, CommandOption, OptionType } from "@parley/contracts";
import {
  type APIApplicationCommand,
  type APIApplicationCommandOption,
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  ApplicationCommandOptionType as Type,
} from "discord-api-types/v10";
import { z } from "zod";
import { snowflakeOf } from "../ids/snowflake.js";
import { fromDiscordBits, toDiscordBits } from "../permissions.js";
import { discordError, unsupported } from "../rest/errors.js";
import { bitsInput } from "../rest/input.js";
import { formOfName, ownNameOf } from "./command-names.js";
import type { InvokedCommand } from "./interaction.js";

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
const contextTypes = {
  server: ApplicationCommandType.ChatInput,
  user: ApplicationCommandType.User,
  message: ApplicationCommandType.Message,
} as const;
const ownContexts: Record<number, Command["context"]> = { 1: "server", 2: "user", 3: "message" };

const localizations = z.record(z.string(), z.string()).nullish();
interface OptionInput {
  readonly type: number;
  readonly name: string;
  readonly description: string;
  readonly required?: boolean | null | undefined;
  readonly choices?: readonly { name: string; value: string | number }[] | null | undefined;
  readonly options?: readonly OptionInput[] | null | undefined;
  readonly min_value?: number | null | undefined;
  readonly max_value?: number | null | undefined;
  readonly min_length?: number | null | undefined;
  readonly max_length?: number | null | undefined;
  readonly autocomplete?: boolean | null | undefined;
}
const optionInput: z.ZodType<OptionInput> = z.lazy(() =>
  z.object({
    type: z.int().min(1).max(11),
    name: z.string().min(1).max(32),
    description: z.string().min(1).max(100),
    required: z.boolean().nullish(),
    choices: z.array(z.object({ name: z.string(), value: z.union([z.string(), z.number()]) })).nullish(),
    options: z.array(optionInput).max(25).nullish(),
    min_value: z.number().nullish(),
    max_value: z.number().nullish(),
    min_length: z.int().nullish(),
    max_length: z.int().nullish(),
    autocomplete: z.boolean().nullish(),
  }),
);

/** A command as bots register it. */
export const commandInput = z.object({
  name: z.string().min(1).max(32),
  type: z.int().min(1).max(3).nullish(),
  description: z.string().max(100).nullish(),
  name_localizations: localizations,
  description_localizations: localizations,
  options: z.array(optionInput).max(25).nullish(),
  default_member_permissions: bitsInput.nullish(),
  contexts: z.array(z.int()).nullish(),
  integration_types: z.array(z.int()).nullish(),
  nsfw: z.boolean().nullish(),
  dm_permission: z.boolean().nullish(),
});
export type CommandInput = z.output<typeof commandInput>;
export type OwnCommand = Omit<Command, "id">;

/** The commands of ours for one of a bot: one for each subcommand. @throws DiscordError 50035 for types that are not served */
export function fromCommand(input: CommandInput, isGuild: boolean): OwnCommand[] {
  const context = ownContexts[input.type ?? 1] ?? "server";
  const bits = input.default_member_permissions;
  const common = { context, default_permissions: bits === null || bits === undefined ? null : fromDiscordBits(bits) };
  if (context !== "server") {
    // Their names may have any form, and they have no description: it is the name.
    const { name, description } = ownNameOf({ path: [input.name], description: input.name, isGuild });
    return [{ ...common, name, description, options: [] }];
  }
  return leavesOf([input.name], input.description ?? "", input.options ?? []).map(({ path, description, options }) => ({
    ...common,
    ...ownNameOf({ path, description, isGuild }),
    options: options.map((option, index) => fromOption(option, index)),
  }));
}

interface Leaf {
  readonly path: readonly string[];
  readonly description: string;
  readonly options: readonly OptionInput[];
}

function leavesOf(path: readonly string[], description: string, options: readonly OptionInput[]): Leaf[] {
  const subs = options.filter(({ type }) => type === Type.Subcommand || type === Type.SubcommandGroup);
  if (subs.length === 0) return [{ path, description, options }];
  return subs.flatMap((sub) => leavesOf([...path, sub.name], sub.description, sub.options ?? []));
}

function fromOption(option: OptionInput, index: number): CommandOption {
  const type = ownTypes.get(option.type);
  if (type === undefined) throw unsupported(["options", index, "type"], `The type ${option.type}`);
  const { name, description, required, choices, autocomplete } = option;
  return {
    name,
    description,
    type,
    required: required ?? false,
    choices: choices?.length ? choices.map((choice) => ({ name: choice.name, value: choice.value })) : null,
    min: option.min_value ?? option.min_length ?? null,
    max: option.max_value ?? option.max_length ?? null,
    autocomplete: autocomplete ?? false,
  };
}

/** A command in Discord's form, and the commands of ours that it stands for. */
export interface ShownCommand {
  readonly command: APIApplicationCommand;
  readonly isGuild: boolean;
  readonly parts: readonly Command[];
}

/** Discord's commands for those of a bot, in their order. */
export function toCommands(commands: readonly Command[], botUserId: string): ShownCommand[] {
  const groups = new Map<string, Command[]>();
  for (const command of commands) {
    const { path, isGuild } = formOf(command);
    const key = `${isGuild} ${command.context} ${path[0]}`;
    groups.set(key, [...(groups.get(key) ?? []), command]);
  }
  return [...groups.values()].map((parts) => ({ ...toCommand(parts, botUserId), parts }));
}

function formOf(command: Pick<Command, "name" | "description" | "context">) {
  const form = formOfName(command.name, command.description);
  return command.context === "server" ? form : { ...form, path: [form.description], description: "" };
}

function toCommand(parts: readonly Command[], botUserId: string) {
  const [first] = parts;
  if (first === undefined) throw new Error("A command has at least one part");
  const { path, description, isGuild } = formOf(first);
  const command: APIApplicationCommand = {
    id: snowflakeOf(first.id),
    application_id: snowflakeOf(botUserId),
    version: snowflakeOf(first.id),
    type: contextTypes[first.context],
    name: path[0] ?? first.name,
    name_localizations: null,
    description,
    description_localizations: null,
    ...(first.context === "server" ? { options: nested(parts, 1) } : {}),
    default_member_permissions: first.default_permissions === null ? null : toDiscordBits(first.default_permissions),
    dm_permission: false,
    nsfw: false,
    integration_types: [ApplicationIntegrationType.GuildInstall],
    contexts: isGuild ? null : [InteractionContextType.Guild],
  };
  return { command, isGuild };
}

/** The options of a command, or the subcommands and groups at this place of the paths. */
function nested(parts: readonly Command[], depth: number): APIApplicationCommandOption[] {
  const [first] = parts;
  if (parts.length === 1 && first !== undefined && formOf(first).path.length === depth)
    return first.options.map(toOption);
  const groups = new Map<string, Command[]>();
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
      description: part === undefined ? name : formOf(part).description,
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
export function invokedCommand(commands: readonly Command[], commandId: string): InvokedCommand {
  const own = commands.find(({ id }) => id === commandId);
  if (own === undefined) throw discordError(10063);
  const form = formOf(own);
  const siblings = commands.filter((other) => {
    const { path, isGuild } = formOf(other);
    return other.context === own.context && isGuild === form.isGuild && path[0] === form.path[0];
  });
  return {
    id: siblings[0]?.id ?? own.id,
    path: form.path,
    types: Object.fromEntries(own.options.map(({ name, type }) => [name, optionTypes[type]])),
  };
}
