import type { AuditAction, ClientEventName, EventPayload, Member } from "@parley/contracts";
import { ChannelType, GuildScheduledEventStatus } from "discord-api-types/v10";
import { isShown, snowflakeOf } from "../ids/snowflake.js";
import { toAuditLogEntry } from "../objects/audit-log.js";
import { toChannel, toThread } from "../objects/channel.js";
import { toEmoji, toReactionEmoji } from "../objects/emoji.js";
import { inviteLimits } from "../objects/invite.js";
import { toMember } from "../objects/member.js";
import type { AnyMessage } from "../objects/message.js";
import { toRole } from "../objects/role.js";
import { toEvent } from "../objects/scheduled-event.js";
import { toUser } from "../objects/user.js";
import { toDeletedGuild, toUpdatedGuild } from "./guilds.js";
import { interactionTranslation } from "./interaction.js";
import { auditKey } from "./lookups.js";
import { toDispatchedMessage } from "./message.js";
import { type Found, guildIdOf } from "./needs.js";
import { toPresence } from "./presence.js";
import { isInShard } from "./shard.js";
import type { Dispatch, Event, Translation } from "./translation.js";
import { toVoiceState } from "./voice-state.js";

type Of<Name extends ClientEventName> = Translation<Event<EventPayload<Name>>>;
const as = <Name extends ClientEventName>(translation: Of<Name>) => translation;

/** One dispatch about an object of a server. */
const one = (t: string, d: object | undefined): Dispatch[] => (d === undefined ? [] : [{ t, d }]);

/** The thread of a message whose text, its name, was changed. */
const threadUpdate = (d: AnyMessage, serverId: string | null): Dispatch[] => {
  const { thread_reply_count = 0 } = d;
  if (serverId === null || thread_reply_count === 0) return [];
  return one("THREAD_UPDATE", toThread({ ...d, thread_reply_count, server_id: serverId }));
};

/** The scheduled event that a message announces is an event of its own at Discord. */
const announced = (t: string, { event, channel_id }: AnyMessage, serverId: string | null): Dispatch[] =>
  event && serverId !== null && t === "MESSAGE_CREATE"
    ? one("GUILD_SCHEDULED_EVENT_CREATE", toEvent({ ...event, channel_id }, serverId))
    : [];

const message = <Name extends "MESSAGE_CREATE" | "MESSAGE_UPDATE" | "DM_MESSAGE_CREATE" | "DM_MESSAGE_UPDATE">(
  t: string,
  of: "guild" | "direct",
): Of<Name> => ({
  of,
  becomes: of === "direct" ? [t] : [t, "THREAD_UPDATE", "GUILD_SCHEDULED_EVENT_CREATE"],
  needs: ({ d, place }, needs) => needs.message(d, place.serverId),
  make: ({ d, place: { serverId } }, found, reader) => [
    ...one(t, toDispatchedMessage(d, serverId, found, reader)),
    ...(t === "MESSAGE_UPDATE" ? threadUpdate(d, serverId) : announced(t, d, serverId)),
  ],
});

/** Threads end with the message that they began with. */
const threadDeletions = (ids: readonly string[], found: Found): Dispatch[] =>
  ids.flatMap((id) => {
    const root = found.it.roots.get(id);
    if (root === undefined) return [];
    const place = { ...guildIdOf(root.server_id), parent_id: snowflakeOf(root.channel_id) };
    return one("THREAD_DELETE", { id: snowflakeOf(id), ...place, type: ChannelType.PublicThread });
  });

const deletion = (of: "channel" | "direct"): Of<"MESSAGE_DELETE"> => ({
  of,
  becomes: of === "direct" ? ["MESSAGE_DELETE"] : ["MESSAGE_DELETE", "THREAD_DELETE"],
  needs: ({ d, place: { serverId } }, needs) => {
    if (serverId !== null) needs.roots.add(d.id);
  },
  make: ({ d, place: { serverId } }, found) => [
    ...one("MESSAGE_DELETE", { id: snowflakeOf(d.id), channel_id: snowflakeOf(d.channel_id), ...guildIdOf(serverId) }),
    ...threadDeletions([d.id], found),
  ],
});

const reaction = (t: string, of: "channel" | "direct"): Of<"REACTION_ADD"> => ({
  of,
  becomes: [t],
  needs: ({ d, place: { serverId } }, needs) => {
    needs.named.emoji(d.emoji);
    if (serverId !== null && t === "MESSAGE_REACTION_ADD") needs.memberships.push({ serverId, userId: d.user_id });
  },
  make: ({ d, place: { serverId } }, found) => {
    const member = found.member(serverId, d.user_id);
    return one(t, {
      user_id: snowflakeOf(d.user_id),
      channel_id: snowflakeOf(d.channel_id),
      message_id: snowflakeOf(d.message_id),
      emoji: toReactionEmoji(d.emoji, (id) => found.it.known.emojis.get(id)),
      burst: false,
      type: 0,
      ...guildIdOf(serverId),
      ...(member === undefined ? {} : { member: toMember(member) }),
    });
  },
});

const pin = (): Of<"MESSAGE_PIN" | "MESSAGE_UNPIN"> => ({
  of: "channel",
  becomes: ["CHANNEL_PINS_UPDATE"],
  make: ({ d, place: { serverId } }) =>
    one("CHANNEL_PINS_UPDATE", {
      channel_id: snowflakeOf(d.channel_id),
      last_pin_timestamp: "pinned_at" in d ? d.pinned_at : null,
      ...guildIdOf(serverId),
    }),
});

/** Something about a member changed, which is read again. */
const memberUpdate: Of<"MEMBER_TIMEOUT_REMOVE"> = {
  of: "guild",
  becomes: ["GUILD_MEMBER_UPDATE"],
  needs: ({ d }, needs) => needs.memberships.push({ serverId: d.server_id, userId: d.user_id }),
  make: ({ d }, found) => withGuild("GUILD_MEMBER_UPDATE", d.server_id, found.member(d.server_id, d.user_id)),
};

const withGuild = (t: string, serverId: string, member: Member | undefined): Dispatch[] =>
  member === undefined || !isShown({ id: member.user_id })
    ? []
    : one(t, { ...guildIdOf(serverId), ...toMember(member) });

/** A ban or its end; it names a user who is no member any more. */
const ban = (t: string): Of<"MEMBER_UNBAN"> => ({
  of: "guild",
  becomes: [t],
  needs: ({ d }, needs) => needs.named.userIds.add(d.user_id),
  make: ({ d }, found) => {
    const user = found.it.known.users.get(d.user_id);
    return user === undefined ? [] : one(t, { ...guildIdOf(d.server_id), user: toUser(user) });
  },
});

const role = (t: string): Of<"ROLE_CREATE"> => ({
  of: "guild",
  becomes: [t],
  make: ({ d }) => one(t, { ...guildIdOf(d.server_id), role: toRole(d) }),
});

const channel = (t: string): Of<"CHANNEL_CREATE"> => ({
  of: "guild",
  becomes: [t],
  needs: ({ d }, needs) => needs.channels.add(d.id),
  make: ({ d }, found) => one(t, toChannel(d, found.it.channels.get(d.id)?.overrides ?? [])),
});

/** A channel's overrides decide who may view it: the bot may not any more, or gets the overrides that apply now. */
const override = (): Of<"CHANNEL_OVERRIDE_DELETE"> => ({
  of: "channel",
  becomes: ["CHANNEL_UPDATE", "CHANNEL_DELETE"],
  needs: ({ d }, needs) => needs.channels.add(d.channel_id),
  make: ({ d }, found) => {
    const seen = found.it.channels.get(d.channel_id);
    if (seen === undefined) return [];
    const shown = toChannel(seen.channel, seen.overrides);
    if (seen.permissions !== 0) return one("CHANNEL_UPDATE", shown);
    return one("CHANNEL_DELETE", { id: shown.id, type: shown.type, guild_id: shown.guild_id, name: "" });
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

const memberUpdateOf = <Name extends ClientEventName>() => memberUpdate as unknown as Of<Name>;

type Audited = { readonly server_id: string };

/** The same, followed by the entry of the change in the server's log. */
function audited<Name extends ClientEventName>(
  action: AuditAction,
  targetOf: (d: EventPayload<Name>) => string,
  translation: Omit<Of<Name>, "becomes" | "make"> & Partial<Pick<Of<Name>, "becomes" | "make">>,
): Of<Name> {
  const changeOf = (d: EventPayload<Name>) => ({
    server_id: (d as EventPayload<Name> & Audited).server_id,
    action,
    target_id: targetOf(d),
  });
  return {
    ...translation,
    becomes: [...(translation.becomes ?? []), "GUILD_AUDIT_LOG_ENTRY_CREATE"],
    needs: (event, needs) => {
      translation.needs?.(event, needs);
      needs.audits.push(changeOf(event.d));
    },
    make: (event, found, reader) => {
      const made = translation.make?.(event, found, reader) ?? [];
      const change = changeOf(event.d);
      const entry = found.it.audits.get(auditKey(change));
      const shown = entry === undefined ? null : toAuditLogEntry(entry);
      if (shown === null) return made;
      return [...made, { t: "GUILD_AUDIT_LOG_ENTRY_CREATE", d: { ...shown, ...guildIdOf(change.server_id) } }];
    },
  };
}

/** The gateway's events that bots get, by name. */
export const translations = {
  MESSAGE_CREATE: message<"MESSAGE_CREATE">("MESSAGE_CREATE", "guild"),
  MESSAGE_UPDATE: message<"MESSAGE_UPDATE">("MESSAGE_UPDATE", "guild"),
  THREAD_MESSAGE_CREATE: as<"THREAD_MESSAGE_CREATE">({
    of: "guild",
    becomes: ["THREAD_CREATE", "MESSAGE_CREATE"],
    needs: ({ d, place }, needs) => {
      needs.message(d, place.serverId);
      needs.replies.push({ rootId: d.thread_id ?? "", replyId: d.id });
    },
    make: ({ d, place }, found, reader) => {
      const root = found.it.threads.get(d.thread_id ?? "");
      const begun = root?.first_reply_id === d.id ? { ...toThread(root), newly_created: true } : undefined;
      return [
        ...one("THREAD_CREATE", begun),
        ...one("MESSAGE_CREATE", toDispatchedMessage(d, place.serverId, found, reader)),
      ];
    },
  }),
  MESSAGE_DELETE: deletion("channel"),
  MESSAGE_DELETE_BULK: as<"MESSAGE_DELETE_BULK">({
    of: "channel",
    becomes: ["MESSAGE_DELETE_BULK", "THREAD_DELETE"],
    needs: ({ d }, needs) => {
      for (const id of d.ids) needs.roots.add(id);
    },
    make: ({ d, place: { serverId } }, found) => [
      ...one("MESSAGE_DELETE_BULK", {
        ids: d.ids.map(snowflakeOf),
        channel_id: snowflakeOf(d.channel_id),
        ...guildIdOf(serverId),
      }),
      ...threadDeletions(d.ids, found),
    ],
  }),
  EVENT_UPDATE: as<"EVENT_UPDATE">({
    of: "channel",
    becomes: ["GUILD_SCHEDULED_EVENT_UPDATE"],
    make: ({ d, place: { serverId } }) => one("GUILD_SCHEDULED_EVENT_UPDATE", toEvent(d, serverId ?? "")),
  }),
  EVENT_DELETE: as<"EVENT_DELETE">({
    of: "channel",
    becomes: ["GUILD_SCHEDULED_EVENT_DELETE"],
    // Only the place of a deleted event is known.
    make: ({ d, place: { serverId } }) => {
      const gone = { name: "", description: null, starts_at: new Date().toISOString(), created_by: null };
      const event = toEvent({ ...gone, id: d.id, channel_id: d.channel_id }, serverId ?? "");
      return one("GUILD_SCHEDULED_EVENT_DELETE", { ...event, status: GuildScheduledEventStatus.Canceled });
    },
  }),
  REACTION_ADD: reaction("MESSAGE_REACTION_ADD", "channel"),
  REACTION_REMOVE: reaction("MESSAGE_REACTION_REMOVE", "channel"),
  MESSAGE_PIN: pin(),
  MESSAGE_UNPIN: pin(),
  DM_MESSAGE_CREATE: message<"DM_MESSAGE_CREATE">("MESSAGE_CREATE", "direct"),
  DM_MESSAGE_UPDATE: message<"DM_MESSAGE_UPDATE">("MESSAGE_UPDATE", "direct"),
  DM_MESSAGE_DELETE: deletion("direct"),
  DM_REACTION_ADD: reaction("MESSAGE_REACTION_ADD", "direct"),
  DM_REACTION_REMOVE: reaction("MESSAGE_REACTION_REMOVE", "direct"),
  TYPING_START: as<"TYPING_START">({
    of: "any channel",
    becomes: ["TYPING_START"],
    needs: ({ d, place: { serverId } }, needs) => {
      if (serverId !== null) needs.memberships.push({ serverId, userId: d.user_id });
    },
    make: ({ d, place: { serverId } }, found) => {
      const member = found.member(serverId, d.user_id);
      return one("TYPING_START", {
        channel_id: snowflakeOf(d.channel_id),
        user_id: snowflakeOf(d.user_id),
        timestamp: Math.floor(Date.parse(d.timestamp) / 1_000),
        ...guildIdOf(serverId),
        ...(member === undefined ? {} : { member: toMember(member) }),
      });
    },
  }),
  PRESENCE_UPDATE: as<"PRESENCE_UPDATE">({
    of: "user",
    becomes: ["PRESENCE_UPDATE"],
    needs: ({ d }, needs) => needs.shared.add(d.user_id),
    make: ({ d }, found, { shard }) =>
      (found.it.shared.get(d.user_id) ?? [])
        .filter((serverId) => isInShard(shard, serverId))
        .map((serverId) => ({
          t: "PRESENCE_UPDATE",
          d: { user: { id: snowflakeOf(d.user_id) }, ...guildIdOf(serverId), ...toPresence(d) },
        })),
  }),
  VOICE_STATE_UPDATE: as<"VOICE_STATE_UPDATE">({
    of: "voice",
    becomes: ["VOICE_STATE_UPDATE"],
    needs: ({ d, place: { serverId } }, needs) => {
      if (serverId === null) needs.shared.add(d.user_id);
      else needs.memberships.push({ serverId, userId: d.user_id });
    },
    make: ({ d, place: { serverId } }, found, { shard }) => {
      const servers = serverId === null ? (found.it.shared.get(d.user_id) ?? []) : [serverId];
      return servers
        .filter((id) => isInShard(shard, id))
        .map((id) => {
          const member = found.member(id, d.user_id);
          const state = { ...guildIdOf(id), ...toVoiceState(d), ...(member ? { member: toMember(member) } : {}) };
          return { t: "VOICE_STATE_UPDATE", d: state };
        });
    },
  }),
  MEMBER_JOIN: as<"MEMBER_JOIN">({
    of: "guild",
    becomes: ["GUILD_MEMBER_ADD"],
    make: ({ d }, _found, { bot }) =>
      d.member.user_id === bot.userId ? [] : withGuild("GUILD_MEMBER_ADD", d.server_id, d.member),
  }),
  MEMBER_UPDATE: as<"MEMBER_UPDATE">({
    of: "guild",
    becomes: ["GUILD_MEMBER_UPDATE"],
    make: ({ d }) => withGuild("GUILD_MEMBER_UPDATE", d.server_id, d.member),
  }),
  MEMBER_LEAVE: as<"MEMBER_LEAVE">({
    of: "guild",
    becomes: ["GUILD_MEMBER_REMOVE"],
    needs: ({ d }, needs) => needs.named.userIds.add(d.user_id),
    make: ({ d }, found, { bot }) => {
      const user = found.it.known.users.get(d.user_id) ?? { id: d.user_id, username: "Deleted User", avatar_url: null };
      return d.user_id === bot.userId
        ? []
        : one("GUILD_MEMBER_REMOVE", { ...guildIdOf(d.server_id), user: toUser(user) });
    },
  }),
  MEMBER_ROLE_ADD: audited<"MEMBER_ROLE_ADD">(
    "member_role_add",
    ({ user_id }) => user_id,
    memberUpdateOf<"MEMBER_ROLE_ADD">(),
  ),
  MEMBER_ROLE_REMOVE: audited<"MEMBER_ROLE_REMOVE">(
    "member_role_remove",
    ({ user_id }) => user_id,
    memberUpdateOf<"MEMBER_ROLE_REMOVE">(),
  ),
  MEMBER_TIMEOUT: audited<"MEMBER_TIMEOUT">(
    "member_timeout",
    ({ user_id }) => user_id,
    memberUpdateOf<"MEMBER_TIMEOUT">(),
  ),
  MEMBER_TIMEOUT_REMOVE: audited<"MEMBER_TIMEOUT_REMOVE">(
    "member_timeout_remove",
    ({ user_id }) => user_id,
    memberUpdateOf<"MEMBER_TIMEOUT_REMOVE">(),
  ),
  MEMBER_KICK: audited<"MEMBER_KICK">("member_kick", ({ user_id }) => user_id, { of: "guild" }),
  MEMBER_BAN: audited<"MEMBER_BAN">("member_ban", ({ user_id }) => user_id, ban("GUILD_BAN_ADD")),
  MEMBER_UNBAN: audited<"MEMBER_UNBAN">("member_unban", ({ user_id }) => user_id, ban("GUILD_BAN_REMOVE")),
  ROLE_CREATE: audited<"ROLE_CREATE">("role_create", ({ id }) => id, role("GUILD_ROLE_CREATE")),
  ROLE_UPDATE: audited<"ROLE_UPDATE">("role_update", ({ id }) => id, role("GUILD_ROLE_UPDATE")),
  ROLE_DELETE: audited<"ROLE_DELETE">("role_delete", ({ role_id }) => role_id, {
    of: "guild",
    becomes: ["GUILD_ROLE_DELETE"],
    make: ({ d }) => one("GUILD_ROLE_DELETE", { ...guildIdOf(d.server_id), role_id: snowflakeOf(d.role_id) }),
  }),
  INVITE_CREATE: audited<"INVITE_CREATE">("invite_create", ({ id }) => id, {
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
  INVITE_DELETE: audited<"INVITE_DELETE">("invite_revoke", ({ invite_id }) => invite_id, {
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
  CUSTOM_EMOJI_CREATE: emojis(),
  CUSTOM_EMOJI_DELETE: emojis(),
  CHANNEL_CREATE: audited<"CHANNEL_CREATE">("channel_create", ({ id }) => id, channel("CHANNEL_CREATE")),
  CHANNEL_UPDATE: audited<"CHANNEL_UPDATE">("channel_update", ({ id }) => id, channel("CHANNEL_UPDATE")),
  CHANNEL_DELETE: audited<"CHANNEL_DELETE">("channel_delete", ({ id }) => id, {
    of: "guild",
    becomes: ["CHANNEL_DELETE"],
    make: ({ d }) => one("CHANNEL_DELETE", { id: snowflakeOf(d.id), ...guildIdOf(d.server_id), type: 0, name: "" }),
  }),
  CHANNEL_OVERRIDE_UPDATE: override(),
  CHANNEL_OVERRIDE_DELETE: override(),
  SERVER_JOIN: as<"SERVER_JOIN">({
    of: "guild",
    becomes: ["GUILD_CREATE"],
    needs: ({ d }, needs) => needs.guilds.add(d.server.id),
    make: ({ d }, found) => one("GUILD_CREATE", found.it.guilds.get(d.server.id)),
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
    make: ({ d }) => one("GUILD_DELETE", toDeletedGuild(d.server_id)),
  }),
  USER_UPDATE: as<"USER_UPDATE">({
    of: "user",
    becomes: ["USER_UPDATE"],
    make: ({ d }) => one("USER_UPDATE", toUser({ ...d, is_bot: true })),
  }),
  INTERACTION_CREATE: interactionTranslation,
} as const;
