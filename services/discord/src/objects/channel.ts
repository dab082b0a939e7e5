import { type AnyDmChannel, type Channel, type ChannelOverride, threadTitleLengthMax } from "@parley/contracts";
import {
  type APIDMChannel,
  type APIGroupDMChannel,
  type APIGuildVoiceChannel,
  type APIOverwrite,
  type APIPublicThreadChannel,
  type APITextChannel,
  ChannelType,
  OverwriteType,
} from "discord-api-types/v10";
import { isShown, snowflakeOf } from "../ids/snowflake.js";
import { toDiscordBits } from "../permissions.js";
import { noFlags, pictureHash, toUser } from "./user.js";

/** Discord's overwrite; the everyone role has the server's id. */
export const toOverwrite = (override: Omit<ChannelOverride, "id" | "channel_id">): APIOverwrite => ({
  id: snowflakeOf(override.role_id ?? override.user_id ?? ""),
  type: override.user_id === null ? OverwriteType.Role : OverwriteType.Member,
  allow: toDiscordBits(override.allow),
  deny: toDiscordBits(override.deny),
});

/** The message of a channel that is its newest, and when the last of its pins was set. */
export interface Newest {
  readonly last_message_id: string | null;
  readonly last_pin_at: string | null;
}

/**
 * Discord's channel of a guild: text or voice.
 *
 * @param newest undefined where nobody looked: clients keep the newest that they know
 */
export function toChannel(
  channel: Channel,
  overrides: readonly Omit<ChannelOverride, "id" | "channel_id">[],
  newest?: Newest,
): APITextChannel | APIGuildVoiceChannel {
  const common = {
    id: snowflakeOf(channel.id),
    guild_id: snowflakeOf(channel.server_id),
    name: channel.name,
    position: channel.position,
    permission_overwrites: overrides.filter(isOfShown).map(toOverwrite),
    parent_id: null,
    nsfw: false,
    ...(newest === undefined ? {} : { last_message_id: shownId(newest.last_message_id) }),
    rate_limit_per_user: channel.slow_mode_seconds ?? 0,
    flags: noFlags,
  };
  if (channel.type === "text") {
    const pin = newest === undefined ? {} : { last_pin_timestamp: newest.last_pin_at };
    return { ...common, type: ChannelType.GuildText, topic: channel.topic, ...pin };
  }
  const user_limit = channel.user_limit ?? 0;
  return { ...common, type: ChannelType.GuildVoice, bitrate: 64_000, user_limit, rtc_region: null };
}

const shownId = (id: string | null) => (id !== null && isShown({ id }) ? snowflakeOf(id) : null);

const isOfShown = ({ role_id, user_id }: Pick<ChannelOverride, "role_id" | "user_id">) =>
  isShown({ id: role_id ?? user_id ?? "" });

/** The fields that a thread is made of: its root message, the place of that, and its state once somebody has replied. */
export interface ThreadFields {
  readonly id: string;
  readonly channel_id: string;
  readonly server_id: string;
  readonly author_id: string | null;
  readonly content: string;
  readonly thread_reply_count: number;
  readonly created_at: string;
  readonly title?: string | null;
  readonly closed?: boolean;
  readonly last_reply_at?: string;
  readonly last_reply_id?: string | null;
}

const archivesAfterMinutes = 10_080;

/** The title of a thread, or the beginning of its root message. */
function nameOf({ title, content }: ThreadFields): string {
  const line = content.trim().split("\n")[0] ?? "";
  return title || [...line].slice(0, threadTitleLengthMax).join("").trim() || "thread";
}

/**
 * Discord's thread, whose id is that of the root message. A closed one is archived and locked; one that nobody writes in for
 * a week is archived.
 */
export function toThread(root: ThreadFields): APIPublicThreadChannel {
  const { closed = false, last_reply_at: lastReplyAt = root.created_at } = root;
  const isLeft =
    root.last_reply_at !== undefined && Date.parse(lastReplyAt) <= Date.now() - archivesAfterMinutes * 60_000;
  return {
    id: snowflakeOf(root.id),
    type: ChannelType.PublicThread,
    guild_id: snowflakeOf(root.server_id),
    parent_id: snowflakeOf(root.channel_id),
    name: nameOf(root),
    owner_id: snowflakeOf(root.author_id ?? root.id),
    last_message_id: root.last_reply_id ? snowflakeOf(root.last_reply_id) : null,
    message_count: root.thread_reply_count,
    member_count: 1,
    total_message_sent: root.thread_reply_count,
    rate_limit_per_user: 0,
    flags: noFlags,
    thread_metadata: {
      archived: closed || isLeft,
      auto_archive_duration: archivesAfterMinutes,
      archive_timestamp: lastReplyAt,
      locked: closed,
      create_timestamp: root.created_at,
    },
  };
}

/** Discord's channel of direct messages, or of a group. */
export function toDirectChannel(
  channel: AnyDmChannel,
  newest: Newest = { last_message_id: null, last_pin_at: null },
): APIDMChannel | APIGroupDMChannel {
  const last_message_id = shownId(newest.last_message_id);
  const common = { id: snowflakeOf(channel.id), last_message_id, last_pin_timestamp: null, flags: 0 };
  if (!("type" in channel)) {
    return { ...common, type: ChannelType.DM, name: null, recipients: [toUser(channel.recipient)] };
  }
  return {
    ...common,
    type: ChannelType.GroupDM,
    name: channel.name,
    icon: pictureHash(channel.icon_url),
    owner_id: snowflakeOf(channel.owner_id),
    recipients: channel.recipients.filter(isShown).map(toUser),
  };
}
