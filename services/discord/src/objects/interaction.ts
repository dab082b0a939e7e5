import type { Member, NewInteraction, RightName } from "@parley/contracts";
import {
  type APIInteraction,
  type APIInteractionDataResolved,
  type APIMessage,
  type APIRole,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ComponentType,
  InteractionContextType,
  InteractionType,
  Locale,
} from "discord-api-types/v10";
import { interactionToken } from "../ids/interaction-token.js";
import { snowflakeOf } from "../ids/snowflake.js";
import { toRoleBits } from "../permissions.js";
import { selectTypes } from "./components.js";
import { featuresOf } from "./guild.js";
import { toMember, toMemberWithoutUser } from "./member.js";
import { toUser, type UserFields } from "./user.js";

/** A command as it is invoked: the type of each option, and the names that lead to a subcommand. */
export interface InvokedCommand {
  /** UUID of the command whose id Discord's form has. */
  readonly id: string;
  /** `["tag", "admin", "drop"]`. */
  readonly path: readonly string[];
  /** Registered for servers alone. */
  readonly isOfServers: boolean;
  readonly types: Readonly<Record<string, ApplicationCommandOptionType>>;
  /** Names of options as the bot sent them, by ours, where they differ. */
  readonly names: Readonly<Record<string, string>>;
}

/** The objects that an interaction names, by UUID. */
export interface Resolved {
  readonly users: ReadonlyMap<string, UserFields>;
  readonly members: ReadonlyMap<string, Member>;
  readonly roles: ReadonlyMap<string, APIRole>;
  readonly channels: ReadonlyMap<string, { id: string; name: string; type: number }>;
  readonly messages: ReadonlyMap<string, APIMessage>;
}

/** The context that an interaction is shown with. */
export interface InteractionContext {
  readonly botUserId: string;
  /** In the channel, as {@link InteractionContext.memberRights}. */
  readonly bot: { readonly permissions: number; readonly rights: readonly RightName[] };
  readonly memberRights: readonly RightName[];
  readonly channel: { id: string; name: string; type: number };
  readonly server: { is_public: boolean };
  /** The message that it is about. */
  readonly message: APIMessage | null;
  readonly command: InvokedCommand | null;
  readonly resolved: Resolved;
}

type Data = NewInteraction["data"];
type CommandData = Extract<Data, { command_id: string }>;
type ComponentData = Extract<Data, { values: string[] }>;
type ModalData = Extract<Data, { modal_id: string }>;

const types = {
  command: InteractionType.ApplicationCommand,
  component: InteractionType.MessageComponent,
  modal: InteractionType.ModalSubmit,
  autocomplete: InteractionType.ApplicationCommandAutocomplete,
} as const;
export const contextTypes = {
  server: ApplicationCommandType.ChatInput,
  user: ApplicationCommandType.User,
  message: ApplicationCommandType.Message,
} as const;
/** Files of a message have 50 MB each (docs/protocol/messages.md#7.6). */
const attachmentBytesMax = 52_428_800;

/** Discord's INTERACTION_CREATE. */
export function toInteraction(interaction: NewInteraction, context: InteractionContext): APIInteraction {
  const { id, token, type, server_id, channel_id, user, member, permissions, locale } = interaction;
  const { botUserId, bot, memberRights, channel, server, message } = context;
  const guildId = snowflakeOf(server_id);
  const bits = toRoleBits(permissions, memberRights);
  return {
    id: snowflakeOf(id),
    application_id: snowflakeOf(botUserId),
    type: types[type],
    data: dataOf(interaction, context),
    guild_id: guildId,
    guild: { id: guildId, locale: Locale.EnglishUS, features: featuresOf(server) },
    channel_id: snowflakeOf(channel_id),
    channel: {
      id: snowflakeOf(channel.id),
      name: channel.name,
      type: channel.type,
      guild_id: guildId,
      permissions: bits,
    },
    member: { ...toMemberWithoutUser(member), user: toUser(user), permissions: bits },
    token: interactionToken(id, token),
    version: 1,
    ...(message === null || type === "command" ? {} : { message }),
    app_permissions: toRoleBits(bot.permissions, bot.rights),
    locale: locale ?? Locale.EnglishUS,
    guild_locale: Locale.EnglishUS,
    entitlements: [],
    authorizing_integration_owners: { 0: guildId },
    context: InteractionContextType.Guild,
    attachment_size_limit: attachmentBytesMax,
    // The union's members differ in the type of `data`.
  } as unknown as APIInteraction;
}

function dataOf(interaction: NewInteraction, context: InteractionContext): object {
  const { data } = interaction;
  if ("command_id" in data) return commandData(data, interaction, context);
  if ("modal_id" in data) return modalData(data);
  return componentData(data, interaction, context);
}

function commandData(data: CommandData, interaction: NewInteraction, context: InteractionContext): object {
  const { command } = context;
  const [name = data.name, ...path] = command?.path ?? [data.name];
  const options = Object.entries(data.options).map(([optionName, value]) => {
    const type = command?.types[optionName] ?? typeOf(value);
    const written = isReference(type) ? snowflakeOf(String(value)) : value;
    const name = command?.names[optionName] ?? optionName;
    return { name, type, value: written, ...(data.focused === optionName ? { focused: true } : {}) };
  });
  const nested = path.toReversed().reduce<object[]>(
    (inner, sub, index) => [
      {
        name: sub,
        type: index === 0 ? ApplicationCommandOptionType.Subcommand : ApplicationCommandOptionType.SubcommandGroup,
        options: inner,
      },
    ],
    options,
  );
  const shown = toResolved(interaction, context);
  return {
    id: snowflakeOf(command?.id ?? data.command_id),
    name,
    type: contextTypes[data.context],
    ...(command?.isOfServers ? { guild_id: snowflakeOf(interaction.server_id) } : {}),
    ...(data.context === "server" ? { options: nested } : {}),
    ...(data.target_id === null ? {} : { target_id: snowflakeOf(data.target_id) }),
    ...(Object.keys(shown).length === 0 ? {} : { resolved: shown }),
  };
}

const isReference = (type: ApplicationCommandOptionType) =>
  type >= ApplicationCommandOptionType.User && type <= ApplicationCommandOptionType.Mentionable;

function typeOf(value: string | number | boolean): ApplicationCommandOptionType {
  if (typeof value === "boolean") return ApplicationCommandOptionType.Boolean;
  if (typeof value === "string") return ApplicationCommandOptionType.String;
  return Number.isInteger(value) ? ApplicationCommandOptionType.Integer : ApplicationCommandOptionType.Number;
}

function componentData(
  { custom_id, values }: ComponentData,
  interaction: NewInteraction,
  context: InteractionContext,
): object {
  const pressed = (context.message?.components ?? [])
    .flatMap((row) => ("components" in row ? (row.components as { custom_id?: string; type: ComponentType }[]) : []))
    .find((component) => component.custom_id === custom_id);
  const component_type = pressed?.type ?? ComponentType.Button;
  if (component_type === ComponentType.Button) return { custom_id, component_type };
  const isOfIds = Object.values(selectTypes).includes(component_type as (typeof selectTypes)["user"]);
  return {
    custom_id,
    component_type,
    values: isOfIds ? values.map(snowflakeOf) : values,
    ...(isOfIds ? { resolved: toResolved(interaction, context) } : {}),
  };
}

/** The form of the modal that asked for labels is marked in its id, which the bot does not see. */
const labelMark = "\u200b";

function modalData({ modal_id, fields }: ModalData): object {
  const isOfLabels = modal_id.startsWith(labelMark);
  return {
    custom_id: isOfLabels ? modal_id.slice(labelMark.length) : modal_id,
    components: Object.entries(fields).map(([custom_id, value], index) => {
      const input = { type: ComponentType.TextInput, id: index * 2 + 2, custom_id, value };
      const id = index * 2 + 1;
      return isOfLabels
        ? { type: ComponentType.Label, id, component: input }
        : { type: ComponentType.ActionRow, id, components: [input] };
    }),
  };
}

/** The id of a modal as it is stored. */
export const storedModalId = (customId: string, hasLabels: boolean): string =>
  hasLabels ? `${labelMark}${customId}` : customId;

/** Permissions are known of the invoker and of the bot, in the channel of the interaction; others are 0. */
function toResolved(
  { user, permissions, channel_id }: NewInteraction,
  { resolved: { users, members, roles, channels, messages }, memberRights, bot, botUserId }: InteractionContext,
): APIInteractionDataResolved {
  const invokers = toRoleBits(permissions, memberRights);
  const bitsOf = new Map([
    [botUserId, toRoleBits(bot.permissions, bot.rights)],
    [user.id, invokers],
  ]);
  const bySnowflake = <Value>(map: ReadonlyMap<string, Value>, write: (value: Value) => unknown) =>
    map.size === 0 ? undefined : Object.fromEntries([...map].map(([id, value]) => [snowflakeOf(id), write(value)]));
  const parts = {
    users: bySnowflake(users, toUser),
    members: bySnowflake(members, (member) => {
      const { user: _user, ...others } = toMember(member);
      return { ...others, permissions: bitsOf.get(member.user_id) ?? "0" };
    }),
    roles: bySnowflake(roles, (role) => role),
    channels: bySnowflake(channels, ({ id, ...channel }) => ({
      id: snowflakeOf(id),
      ...channel,
      permissions: id === channel_id ? invokers : "0",
    })),
    messages: bySnowflake(messages, (message) => message),
  };
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined));
}
