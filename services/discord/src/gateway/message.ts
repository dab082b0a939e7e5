import { snowflakeOf } from "../ids/snowflake.js";
import { toMemberWithoutUser } from "../objects/member.js";
import { type AnyMessage, toMessage } from "../objects/message.js";
import { readsContent } from "./intents.js";
import { type Found, guildIdOf } from "./needs.js";
import type { Reader } from "./reader.js";

/** A message as MESSAGE_CREATE and MESSAGE_UPDATE have it: in guilds with the server and the author's member. */
export function toDispatchedMessage(
  message: AnyMessage,
  serverId: string | null,
  found: Found,
  reader: Reader,
): object {
  const context = found.context(serverId);
  const replied = message.reply_to ? found.it.referenced.get(message.reply_to) : undefined;
  const shown = toMessage(message, context, replied === undefined ? null : toMessage(replied, context));
  const member = message.webhook === undefined ? found.member(serverId, message.author_id) : undefined;
  const byId = new Map(
    [...(message.mention_user_ids ?? []), replied?.author_id ?? ""]
      .filter((id) => id !== "")
      .map((id) => [snowflakeOf(id), id]),
  );
  const mentions = shown.mentions.map((user) => {
    const mentioned = found.member(serverId, byId.get(user.id) ?? null);
    return mentioned === undefined ? user : { ...user, member: toMemberWithoutUser(mentioned) };
  });
  const whole = {
    ...shown,
    mentions,
    ...guildIdOf(serverId),
    ...(member === undefined ? {} : { member: toMemberWithoutUser(member) }),
  };
  const isHidden = replied !== undefined && !mayRead(replied, serverId, reader);
  const mentionsReader = replied?.author_id === reader.bot.userId;
  const quoting = isHidden ? { ...whole, referenced_message: withoutContent(whole.referenced_message ?? {}) } : whole;
  return mentionsReader || mayRead(message, serverId, reader) ? quoting : withoutContent(quoting);
}

/** Whether the reader gets the contents of a message (docs/discord.md#rules). */
function mayRead({ author_id, mention_user_ids = [] }: AnyMessage, serverId: string | null, reader: Reader): boolean {
  const { userId } = reader.bot;
  if (serverId === null || readsContent(reader.intents)) return true;
  return author_id === userId || mention_user_ids.includes(userId);
}

function withoutContent<Shown extends object>({ poll, ...message }: Shown & { poll?: unknown }): object {
  return { ...message, content: "", embeds: [], attachments: [], components: [] };
}
