import { ChannelType } from "discord-api-types/v10";
import { isShown, snowflakeOf } from "../ids/snowflake.js";
import { toAuditLogEntry } from "../objects/audit-log.js";
import { toChannel } from "../objects/channel.js";
import { toEmoji } from "../objects/emoji.js";
import { inviteLimits } from "../objects/invite.js";
import { toUser } from "../objects/user.js";
import { toDeletedGuild, toUpdatedGuild } from "./guilds.js";
import { type Found, guildIdOf } from "./needs.js";
import { channelGone } from "./sight.js";
import { as, type Of, one } from "./translation-of.js";
import { withSight } from "./with-sight.js";

const channel = (t: "CHANNEL_CREATE" | "CHANNEL_UPDATE"): Of<"CHANNEL_CREATE"> => ({
  of: "guild",
  becomes: [t],
  needs: ({ d }, needs) => needs.channels.add(d.id),
  make: ({ d }, found, { sight }) => {
    const shown = toChannel(d, found.it.channels.get(d.id)?.overrides ?? []);
    // A change of rights before it brought the channel.
    if (t === "CHANNEL_CREATE" && sight.has(d.server_id, shown.id)) return [];
    sight.add(d.server_id, shown);
    return one(t, shown);
  },
});

/** A channel gets the overrides that apply now. */
const override = (): Of<"CHANNEL_OVERRIDE_DELETE"> =>
  withSight<"CHANNEL_OVERRIDE_DELETE">(() => true, {
    of: "channel",
    becomes: ["CHANNEL_UPDATE"],
    needs: ({ d }, needs) => needs.channels.add(d.channel_id),
    make: ({ d, place }, found, { sight }) => {
      const seen = found.it.channels.get(d.channel_id);
      if (seen === undefined) return [];
      const shown = toChannel(seen.channel, seen.overrides);
      const had = sight.has(place.serverId ?? "", shown.id);
      if (seen.permissions !== 0) return had === false ? [] : one("CHANNEL_UPDATE", shown);
      return had === undefined ? [channelGone(shown.guild_id ?? "", shown.id, shown.type)] : [];
    },
  });

const emojis = (): Of<"CUSTOM_EMOJI_CREATE" | "CUSTOM_EMOJI_DELETE"> => ({
  of: "guild",
  becomes: ["GUILD_EMOJIS_UPDATE"],
  needs: ({ d }, needs) => needs.emojiLists.add(d.server_id),
  make: ({ d }, found) =>
    one("GUILD_EMOJIS_UPDATE", {
      ...guildIdOf(d.server_id),
      emojis: (found.it.emojiLists.get(d.server_id) ?? []).filter(isShown).map(toEmoji),
    }),
});

const textChannelsOf = (serverId: string, found: Found) =>
  (found.it.guilds.get(serverId)?.channels ?? []).filter(({ type }) => type === ChannelType.GuildText);

/** Events about servers, their channels, emoji and invites. */
export const serverTranslations = {
  INVITE_CREATE: as<"INVITE_CREATE">({
    of: "guild",
    becomes: ["INVITE_CREATE"],
    needs: ({ d }, needs) => {
      needs.guilds.add(d.server_id);
      if (d.created_by !== null) needs.named.userIds.add(d.created_by);
    },
    make: ({ d }, found) => {
      // Invites here lead to a server: the channel is its first that the bot sees, as libraries want one that they know.
      const [channel] = textChannelsOf(d.server_id, found);
      const inviter = found.it.known.users.get(d.created_by ?? "");
      return channel === undefined
        ? []
        : one("INVITE_CREATE", {
            channel_id: channel.id,
            ...guildIdOf(d.server_id),
            code: d.code,
            created_at: d.created_at,
            expires_at: d.expires_at,
            ...(inviter === undefined ? {} : { inviter: toUser(inviter) }),
            ...inviteLimits(d),
            temporary: false,
          });
    },
  }),
  INVITE_DELETE: as<"INVITE_DELETE">({
    of: "guild",
    becomes: ["INVITE_DELETE"],
    needs: ({ d }, needs) => {
      needs.guilds.add(d.server_id);
      needs.invites.set(d.invite_id, d.server_id);
    },
    make: ({ d }, found) => {
      const [channel] = textChannelsOf(d.server_id, found);
      const code = found.it.inviteCodes.get(d.invite_id);
      if (channel === undefined || code === undefined) return [];
      return one("INVITE_DELETE", { channel_id: channel.id, ...guildIdOf(d.server_id), code });
    },
  }),
  SERVER_SETTINGS_UPDATE: as<"SERVER_SETTINGS_UPDATE">({
    of: "guild",
    becomes: ["WEBHOOKS_UPDATE"],
    needs: ({ d }, needs) => {
      if (d.part === "webhooks") needs.guilds.add(d.server_id);
    },
    // The event names the server, and not the channel: clients that keep lists read the list of each channel again.
    make: ({ d }, found) =>
      d.part !== "webhooks"
        ? []
        : textChannelsOf(d.server_id, found).flatMap(({ id }) =>
            one("WEBHOOKS_UPDATE", { ...guildIdOf(d.server_id), channel_id: id }),
          ),
  }),
  AUDIT_LOG_ENTRY_CREATE: as<"AUDIT_LOG_ENTRY_CREATE">({
    of: "guild",
    becomes: ["GUILD_AUDIT_LOG_ENTRY_CREATE"],
    make: ({ d, place: { serverId } }) => {
      const entry = toAuditLogEntry(d);
      return entry === null ? [] : one("GUILD_AUDIT_LOG_ENTRY_CREATE", { ...entry, ...guildIdOf(serverId) });
    },
  }),
  CUSTOM_EMOJI_CREATE: emojis(),
  CUSTOM_EMOJI_DELETE: emojis(),
  CHANNEL_CREATE: channel("CHANNEL_CREATE"),
  CHANNEL_UPDATE: channel("CHANNEL_UPDATE"),
  CHANNEL_DELETE: as<"CHANNEL_DELETE">({
    of: "guild",
    becomes: ["CHANNEL_DELETE"],
    make: ({ d }, _found, { sight }) => {
      const [id, guildId] = [snowflakeOf(d.id), snowflakeOf(d.server_id)];
      const type = sight.typeOf(d.server_id, id) ?? ChannelType.GuildText;
      sight.remove(d.server_id, id);
      return [channelGone(guildId, id, type)];
    },
  }),
  CHANNEL_OVERRIDE_UPDATE: override(),
  CHANNEL_OVERRIDE_DELETE: override(),
  SERVER_JOIN: as<"SERVER_JOIN">({
    of: "guild",
    becomes: ["GUILD_CREATE"],
    needs: ({ d }, needs) => needs.guilds.add(d.server.id),
    make: ({ d }, found, { sight }) => {
      const guild = found.it.guilds.get(d.server.id);
      if (guild !== undefined) sight.see(d.server.id, guild);
      return one("GUILD_CREATE", guild);
    },
  }),
  SERVER_UPDATE: as<"SERVER_UPDATE">({
    of: "server",
    becomes: ["GUILD_UPDATE"],
    needs: ({ d }, needs) => needs.guilds.add(d.id),
    make: ({ d }, found) => {
      const guild = found.it.guilds.get(d.id);
      return one("GUILD_UPDATE", guild === undefined ? undefined : toUpdatedGuild(guild));
    },
  }),
  SERVER_LEAVE: as<"SERVER_LEAVE">({
    of: "guild",
    becomes: ["GUILD_DELETE"],
    make: ({ d }, _found, { sight }) => {
      sight.forget(d.server_id);
      return one("GUILD_DELETE", toDeletedGuild(d.server_id));
    },
  }),
} as const;
