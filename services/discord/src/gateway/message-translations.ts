import type { EventPayload } from "@parley/contracts";
import { ChannelType, GuildScheduledEventStatus } from "discord-api-types/v10";
import { snowflakeOf } from "../ids/snowflake.js";
import { type ThreadFields, toThread } from "../objects/channel.js";
import { toReactionEmoji } from "../objects/emoji.js";
import { toMember } from "../objects/member.js";
import type { AnyMessage } from "../objects/message.js";
import { toEvent } from "../objects/scheduled-event.js";
import type { Dispatch } from "./dispatch.js";
import { toDispatchedMessage } from "./message.js";
import { type Found, guildIdOf } from "./needs.js";
import type { Reader } from "./reader.js";
import { as, type Of, one } from "./translation-of.js";

/** A thread as it is now; nothing of one that is gone. */
const threadUpdate = (rootId: string, found: Found): Dispatch[] => {
  const thread = found.it.known.threads.get(rootId);
  return thread === undefined ? [] : one("THREAD_UPDATE", toThread(thread));
};

const threadCreate = (thread: ThreadFields, { sight }: Reader): Dispatch[] =>
  sight.startThread(thread.id) ? one("THREAD_CREATE", { ...toThread(thread), newly_created: true }) : [];

/** A thread that clients do not have: it begins with the reply, or nobody wrote in it for some time. */
function beginningOf({ id, thread_id }: AnyMessage, found: Found, reader: Reader): Dispatch[] {
  const isFirst = found.it.beginning.get(id);
  const thread = found.it.known.threads.get(thread_id ?? "");
  if (isFirst === undefined || thread === undefined) return [];
  return isFirst ? threadCreate(thread, reader) : one("THREAD_UPDATE", toThread(thread));
}

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
  becomes: [t, ...(of === "direct" ? [] : [t === "MESSAGE_UPDATE" ? "THREAD_UPDATE" : "GUILD_SCHEDULED_EVENT_CREATE"])],
  needs: ({ d, place }, needs) => {
    needs.message(d, place.serverId);
    if (t === "MESSAGE_UPDATE") needs.changed(d.id, place.serverId);
  },
  make: ({ d, place: { serverId } }, found, reader) => {
    const { attachments, previews } = found.it.changed.get(d.id) ?? (d as AnyMessage);
    const whole = t === "MESSAGE_UPDATE" ? { ...d, attachments, previews } : d;
    return [
      ...one(t, toDispatchedMessage(whole, serverId, found, reader)),
      // The name of its thread may be its text.
      ...(t === "MESSAGE_UPDATE" ? threadUpdate(d.id, found) : announced(t, d, serverId)),
    ];
  },
});

/** Files or link cards of a message came later: clients get the whole message as it is now. */
const parts = (of: "channel" | "direct"): Of<"ATTACHMENT_CREATE" | "MESSAGE_PREVIEWS"> => ({
  of,
  becomes: ["MESSAGE_UPDATE"],
  needs: ({ d, place }, needs) => needs.changed(d.message_id, place.serverId),
  make: ({ d, place: { serverId } }, found, reader) => {
    const message = found.it.changed.get(d.message_id);
    return message === undefined ? [] : one("MESSAGE_UPDATE", toDispatchedMessage(message, serverId, found, reader));
  },
});

/** Threads end with the message that they began with. */
const threadDeletions = (ids: readonly string[], found: Found): Dispatch[] =>
  ids.flatMap((id) => {
    const root = found.it.inThreads.get(id);
    if (root === undefined || root.thread_id !== null) return [];
    const place = { ...guildIdOf(root.server_id), parent_id: snowflakeOf(root.channel_id) };
    return one("THREAD_DELETE", { id: snowflakeOf(id), ...place, type: ChannelType.PublicThread });
  });

const deletion = (of: "channel" | "direct"): Of<"MESSAGE_DELETE"> => ({
  of,
  becomes: of === "direct" ? ["MESSAGE_DELETE"] : ["MESSAGE_DELETE", "THREAD_DELETE"],
  needs: ({ d, place: { serverId } }, needs) => {
    if (serverId !== null) needs.inThreads.add(d.id);
  },
  make: ({ d, place: { serverId } }, found) => [
    ...one("MESSAGE_DELETE", { id: snowflakeOf(d.id), channel_id: found.channelIdOf(d), ...guildIdOf(serverId) }),
    ...threadDeletions([d.id], found),
  ],
});

/** Messages that are deleted together, by their channel of Discord's. */
function byChannel({ channel_id, ids }: EventPayload<"MESSAGE_DELETE_BULK">, found: Found): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const id of ids) {
    const channelId = found.channelIdOf({ id, channel_id });
    groups.set(channelId, [...(groups.get(channelId) ?? []), snowflakeOf(id)]);
  }
  return groups;
}

/** Reactions that are removed together: one dispatch for all of them. */
const cleared = { all: "MESSAGE_REACTION_REMOVE_ALL", emoji: "MESSAGE_REACTION_REMOVE_EMOJI", more: null } as const;
const removal = (): Of<"REACTION_REMOVE"> => {
  const single = reaction("MESSAGE_REACTION_REMOVE", "channel");
  return {
    ...single,
    becomes: [...single.becomes, cleared.all, cleared.emoji],
    make: (event, found, reader) => {
      const { d } = event;
      if (d.cleared === undefined) return single.make(event, found, reader);
      const t = cleared[d.cleared];
      return t === null
        ? []
        : one(t, {
            channel_id: found.channelIdOf({ ...d, id: d.message_id }),
            message_id: snowflakeOf(d.message_id),
            ...guildIdOf(event.place.serverId),
            ...(d.cleared === "emoji" ? { emoji: emojiOf(d.emoji, found) } : {}),
          });
    },
  };
};

const emojiOf = (emoji: string, found: Found) => toReactionEmoji(emoji, (id) => found.it.known.emojis.get(id));
const reaction = (t: string, of: "channel" | "direct"): Of<"REACTION_ADD"> => ({
  of,
  becomes: [t],
  needs: ({ d, place: { serverId } }, needs) => {
    needs.named.emoji(d.emoji);
    if (serverId !== null) needs.inThreads.add(d.message_id);
    if (serverId !== null && t === "MESSAGE_REACTION_ADD") needs.memberships.push({ serverId, userId: d.user_id });
  },
  make: ({ d, place: { serverId } }, found) => {
    const member = found.member(serverId, d.user_id);
    return one(t, {
      user_id: snowflakeOf(d.user_id),
      channel_id: found.channelIdOf({ ...d, id: d.message_id }),
      message_id: snowflakeOf(d.message_id),
      emoji: emojiOf(d.emoji, found),
      burst: false,
      type: 0,
      ...guildIdOf(serverId),
      ...(member === undefined ? {} : { member: toMember(member) }),
    });
  },
});

const interest = (t: string): Of<"EVENT_INTEREST_ADD" | "EVENT_INTEREST_REMOVE"> => ({
  of: "channel",
  becomes: [t],
  make: ({ d, place: { serverId } }) =>
    one(t, {
      guild_scheduled_event_id: snowflakeOf(d.event_id),
      user_id: snowflakeOf(d.user_id),
      ...guildIdOf(serverId),
    }),
});

const pollVote = (t: string): Of<"POLL_VOTE_ADD" | "POLL_VOTE_REMOVE"> => ({
  of: "channel",
  becomes: [t],
  needs: ({ d }, needs) => needs.options.add(d.option_id),
  make: ({ d, place: { serverId } }, found) => {
    const answer_id = found.it.answers.get(d.option_id);
    if (answer_id === undefined) return [];
    return one(t, {
      user_id: snowflakeOf(d.user_id),
      channel_id: snowflakeOf(d.channel_id),
      message_id: snowflakeOf(d.message_id),
      ...guildIdOf(serverId),
      answer_id,
    });
  },
});

const pin = (): Of<"MESSAGE_PIN" | "MESSAGE_UNPIN"> => ({
  of: "channel",
  becomes: ["CHANNEL_PINS_UPDATE"],
  needs: ({ d }, needs) => {
    needs.inThreads.add(d.message_id);
    needs.pins.add(d.channel_id);
  },
  make: ({ d, place: { serverId } }, found) =>
    one("CHANNEL_PINS_UPDATE", {
      channel_id: found.channelIdOf({ ...d, id: d.message_id }),
      last_pin_timestamp: found.it.newest.get(d.channel_id)?.last_pin_at ?? null,
      ...guildIdOf(serverId),
    }),
});

/** Events about messages, in channels and direct. */
export const messageTranslations = {
  MESSAGE_CREATE: message<"MESSAGE_CREATE">("MESSAGE_CREATE", "guild"),
  MESSAGE_UPDATE: message<"MESSAGE_UPDATE">("MESSAGE_UPDATE", "guild"),
  THREAD_MESSAGE_CREATE: as<"THREAD_MESSAGE_CREATE">({
    of: "guild",
    becomes: ["THREAD_CREATE", "THREAD_UPDATE", "MESSAGE_CREATE"],
    needs: ({ d, place }, needs) => {
      needs.message(d, place.serverId);
      if (d.thread_id === null) return;
      needs.named.threadIds.add(d.thread_id);
      needs.replies.push({ rootId: d.thread_id, replyId: d.id });
    },
    make: ({ d, place }, found, reader) => [
      ...beginningOf(d, found, reader),
      ...one("MESSAGE_CREATE", toDispatchedMessage(d, place.serverId, found, reader)),
    ],
  }),
  THREAD_UPDATE: as<"THREAD_UPDATE">({
    of: "channel",
    becomes: ["THREAD_UPDATE"],
    needs: ({ d }, needs) => needs.named.threadIds.add(d.id),
    make: ({ d }, found) => threadUpdate(d.id, found),
  }),
  THREAD_START: as<"THREAD_START">({
    of: "channel",
    becomes: ["THREAD_CREATE"],
    needs: ({ d, place }, needs) => needs.changed(d.id, place.serverId),
    make: ({ d, place: { serverId } }, found, reader) => {
      const root = found.it.changed.get(d.id);
      if (root === undefined || serverId === null) return [];
      return threadCreate({ thread_reply_count: 0, ...root, server_id: serverId, title: d.title }, reader);
    },
  }),
  MESSAGE_DELETE: deletion("channel"),
  MESSAGE_DELETE_BULK: as<"MESSAGE_DELETE_BULK">({
    of: "channel",
    becomes: ["MESSAGE_DELETE_BULK", "THREAD_DELETE"],
    needs: ({ d }, needs) => {
      for (const id of d.ids) needs.inThreads.add(id);
    },
    make: ({ d, place: { serverId } }, found) => [
      ...[...byChannel(d, found)].flatMap(([channel_id, ids]) =>
        one("MESSAGE_DELETE_BULK", { ids, channel_id, ...guildIdOf(serverId) }),
      ),
      ...threadDeletions(d.ids, found),
    ],
  }),
  ATTACHMENT_CREATE: parts("channel"),
  DM_ATTACHMENT_CREATE: parts("direct"),
  MESSAGE_PREVIEWS: parts("channel"),
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
  EVENT_INTEREST_ADD: interest("GUILD_SCHEDULED_EVENT_USER_ADD"),
  EVENT_INTEREST_REMOVE: interest("GUILD_SCHEDULED_EVENT_USER_REMOVE"),
  POLL_VOTE_ADD: pollVote("MESSAGE_POLL_VOTE_ADD"),
  POLL_VOTE_REMOVE: pollVote("MESSAGE_POLL_VOTE_REMOVE"),
  REACTION_ADD: reaction("MESSAGE_REACTION_ADD", "channel"),
  REACTION_REMOVE: removal(),
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
} as const;
