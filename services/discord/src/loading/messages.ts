import type { DetailedMessage } from "@parley/contracts";
import type { APIMessage } from "discord-api-types/v10";
import { isShown } from "../ids/snowflake.js";
import { type AnyMessage, toMessage } from "../objects/message.js";
import type { Api } from "../rest/api.js";
import { DiscordError } from "../rest/errors.js";
import { loadContext, type Reading } from "./context.js";
import { type Place, pathsOf } from "./place.js";

/** The query with which messages are read. */
export const include = "include=author,attachments,reactions,previews";

/** Where messages are read, and for which bot they are shown. */
export interface Showing {
  readonly api: Api;
  readonly database: Reading;
  readonly origin: string;
  readonly botUserId: string;
}

/** Messages of a place in Discord's form; a message that one replies to is shown if it is among them. */
export async function showMessages(
  { database, origin, botUserId }: Showing,
  place: Place,
  messages: readonly AnyMessage[],
): Promise<APIMessage[]> {
  const context = await loadContext(database, { origin, botUserId, serverId: place.serverId }, messages);
  const byId = new Map(messages.map((message) => [message.id, message]));
  return messages.filter(isShown).map((message) => {
    const replied = message.reply_to ? byId.get(message.reply_to) : undefined;
    return toMessage(message, context, replied === undefined ? undefined : toMessage(replied, context));
  });
}

/** One message with the one that it replies to. */
export async function showMessage(showing: Showing, place: Place, message: AnyMessage): Promise<APIMessage> {
  const replyTo = message.reply_to ?? null;
  const replied = replyTo === null ? null : await find(showing.api, place, replyTo);
  const [shown, ...others] = await showMessages(showing, place, replied === null ? [message] : [message, replied]);
  if (shown === undefined) throw new DiscordError(500, 0, "500: Internal Server Error");
  return replyTo === null ? shown : { ...shown, referenced_message: others[0] ?? null };
}

/** A message by its UUID; null when it is gone, or out of the bot's sight. */
async function find(api: Api, place: Place, id: string): Promise<DetailedMessage | null> {
  try {
    const message = await api.get<DetailedMessage>(`${pathsOf(place).message}/${id}?${include}`);
    return message.deleted ? null : message;
  } catch (error) {
    if (error instanceof DiscordError && error.status < 500) return null;
    throw error;
  }
}
