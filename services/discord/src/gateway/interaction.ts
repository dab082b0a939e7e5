import { type Command, isUuid, type NewInteraction } from "@parley/contracts";
import { ChannelType } from "discord-api-types/v10";
import { invokedCommand } from "../objects/command.js";
import { type Resolved, toInteraction } from "../objects/interaction.js";
import { toMessage } from "../objects/message.js";
import { toRole } from "../objects/role.js";
import type { SeenChannel } from "./lookups.js";
import type { Found, Needs } from "./needs.js";
import type { Event, Translation } from "./translation.js";

/** Kinds of objects that are resolved beside the interaction, by the type of an option or the kind of a select. */
type Kind = "user" | "channel" | "role";
const isKind = (kind: string): kind is Kind => ["user", "channel", "role"].includes(kind);

/** Brings an interaction to the bot, whatever its intents are. */
export const interactionTranslation: Translation<Event<NewInteraction>> = {
  of: "guild",
  // Parley's gateway has given it to this connection alone.
  inAnyShard: true,
  becomes: ["INTERACTION_CREATE"],
  needs: ({ d }, needs) => {
    const { server_id: serverId, channel_id, data, message } = d;
    needs.channels.add(channel_id);
    if (message !== null) needs.message(message, serverId);
    needs.commands ||= "command_id" in data && isKnownByForm(data);
    for (const id of namedBy(d)) needIt(id, serverId, needs);
  },
  make: ({ d }, found) => {
    const { channel_id, server_id: serverId, message, data } = d;
    const seen = found.it.channels.get(channel_id);
    if (seen === undefined) return [];
    const { commands } = found.it;
    const command = "command_id" in data ? commands.find(({ id }) => id === data.command_id) : undefined;
    const context = {
      botUserId: found.it.botUserId,
      bot: seen,
      memberRights: seen.rightsOf(d.member, d.permissions),
      channel: channelOf(seen),
      server: seen.server,
      message: message === null ? null : toMessage(message, found.context(serverId)),
      command: command === undefined ? null : invokedCommand(commands, command.id),
      resolved: resolve(d, command, found),
    };
    return [{ t: "INTERACTION_CREATE", d: toInteraction(d, context) }];
  },
};

/** Whether Discord's form of the command says more than its name does: types of options, or the path of a subcommand. */
const isKnownByForm = ({ context, name, options }: { context: string; name: string; options: object }) =>
  context !== "server" || name.includes("-") || Object.keys(options).length > 0;

const channelOf = ({ channel }: SeenChannel) => ({
  id: channel.id,
  name: channel.name,
  type: channel.type === "text" ? ChannelType.GuildText : ChannelType.GuildVoice,
});

/** Every id that an interaction names, of whatever kind. */
function namedBy({ data }: NewInteraction): string[] {
  if ("modal_id" in data) return [];
  const values = "values" in data ? data.values : [...Object.values(data.options), data.target_id];
  return values.filter((value): value is string => isUuid(value));
}

function needIt(id: string, serverId: string, needs: Needs): void {
  needs.named.userIds.add(id);
  needs.memberships.push({ serverId, userId: id });
  needs.channels.add(id);
  needs.roles.add(id);
}

/** The ids by their kind: of options by the command, of selects by the component. */
function kindsOf({ data, message }: NewInteraction, command: Command | undefined): [Kind, string][] {
  if ("modal_id" in data) return [];
  if ("values" in data) {
    const select = message?.components?.flat().find(({ custom_id }) => custom_id === data.custom_id);
    const kind = select?.type === "select" ? select.kind : "text";
    return isKind(kind) ? data.values.map((id) => [kind, id]) : [];
  }
  if (data.target_id !== null && data.context === "user") return [["user", data.target_id]];
  return (command?.options ?? []).flatMap(({ name, type }): [Kind, string][] => {
    const value = data.options[name];
    return typeof value === "string" && isKind(type) ? [[type, value]] : [];
  });
}

function resolve(interaction: NewInteraction, command: Command | undefined, found: Found): Resolved {
  const { server_id: serverId, data, message } = interaction;
  const kinds = kindsOf(interaction, command);
  const of = <Value>(kind: Kind, find: (id: string) => Value | undefined) =>
    new Map(
      kinds.flatMap(([each, id]) => {
        const value = each === kind ? find(id) : undefined;
        return value === undefined ? [] : [[id, value] as const];
      }),
    );
  const isAboutMessage = message !== null && "target_id" in data && data.context === "message";
  return {
    users: of("user", (id) => found.it.known.users.get(id)),
    members: of("user", (id) => found.member(serverId, id)),
    roles: of("role", (id) => {
      const role = found.it.roles.get(id);
      return role === undefined ? undefined : toRole(role);
    }),
    channels: of("channel", (id) => {
      const seen = found.it.channels.get(id);
      return seen === undefined ? undefined : channelOf(seen);
    }),
    messages: isAboutMessage ? new Map([[message.id, toMessage(message, found.context(serverId))]]) : new Map(),
  };
}
