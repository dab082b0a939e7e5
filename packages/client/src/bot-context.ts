import type { ParleyClient } from "./client.js";
import type { Turn } from "./consume.js";
import type { GatewayEvent } from "./gateway-options.js";
import type { DispatchEvents, MessagesSendBody, RawServer, SentDmMessage, SentMessage } from "./generated/index.js";

/** Names of the events that bring a new message. */
export type MessageEventName = "MESSAGE_CREATE" | "THREAD_MESSAGE_CREATE" | "DM_MESSAGE_CREATE";

/** The events that bring a new message. */
export const messageEvents: readonly MessageEventName[] = [
  "MESSAGE_CREATE",
  "THREAD_MESSAGE_CREATE",
  "DM_MESSAGE_CREATE",
];

/** Waits for an event as it arrives; null after `milliseconds`. */
export type WaitFor = <Name extends keyof DispatchEvents>(
  name: Name,
  filter: (data: DispatchEvents[Name]) => boolean,
  milliseconds: number,
) => Promise<DispatchEvents[Name] | null>;

/** The second argument of a bot's handler, beside the payload. */
export interface BotContext {
  /** For requests in the name of the bot. */
  readonly client: ParleyClient;
  /** The event with its name, payload and position. */
  readonly event: GatewayEvent;
  /** Where it happened; null for an event without a channel. */
  readonly channelId: string | null;
  /** The author of the message; null for other events, and once the account is deleted. */
  readonly author: { readonly id: string } | null;
  /** The server where it happened; null in direct messages, and for an event without a server. */
  server(): Promise<RawServer | null>;
  /**
   * Writes to where the event happened: as a reply to a message, in its thread, or in direct messages. The answer to a
   * new message is sent once, also when the event comes again after the bot was killed.
   */
  reply(content: string | MessagesSendBody): Promise<SentMessage | SentDmMessage>;
  /**
   * Waits for an event, such as the answer to a question; null when none came in time. Meanwhile other events of the
   * channel are handled, and the one of this handler counts as handled.
   */
  readonly waitFor: WaitFor;
  /**
   * Waits for the next message of the same author in the same place: channel, thread or direct messages; null when none
   * came in time. As with `waitFor`, the bot has to get the event.
   */
  nextMessage(milliseconds: number): Promise<DispatchEvents[MessageEventName] | null>;
}

/** The argument of a command's handler. */
export interface CommandContext extends BotContext {
  /** The author of the command. */
  readonly author: { readonly id: string };
  /** The message with the command. */
  readonly message: DispatchEvents[MessageEventName];
  /** The text behind the name of the command. */
  readonly text: string;
  /** The words of the text. */
  readonly args: readonly string[];
}

/** The parts of contexts. */
export interface ContextParts {
  /** For requests. */
  readonly client: ParleyClient;
  /** The event. */
  readonly event: GatewayEvent;
  /** The turn of the event. */
  readonly turn: Turn;
  /** Names the handler, so that each one's answers are its own. */
  readonly handlerName: string;
  /** Finds servers. */
  readonly serverOf: (channelId: string) => Promise<RawServer | null>;
  /** Waits. */
  readonly waitFor: WaitFor;
}

const nonceCharactersMax = 64;

/** Makes the context of an event for one handler. */
export function createContext({ client, event, turn, handlerName, serverOf, waitFor }: ContextParts): BotContext {
  const fields = new Map<string, unknown>(Object.entries(event.data));
  const channelId = textOf(fields.get("channel_id"));
  const serverId = textOf(fields.get("server_id"));
  const authorId = textOf(fields.get("author_id"));
  const isDirect = event.name.startsWith("DM_");
  const wait: WaitFor = (name, filter, milliseconds) => {
    turn.release();
    return waitFor(name, filter, milliseconds);
  };
  let answers = 0;
  return {
    client,
    event,
    channelId,
    author: authorId === null ? null : { id: authorId },
    async server() {
      if (serverId !== null) return client.servers.get(serverId);
      return channelId === null || isDirect ? null : serverOf(channelId);
    },
    async reply(content) {
      if (channelId === null) throw new Error(`${event.name} has no channel to answer in.`);
      const body = typeof content === "string" ? { content } : content;
      answers += 1;
      const isNew = messageEvents.some((name) => name === event.name);
      // The same each time that the event is handled; edits and reactions may happen again to the same message.
      const nonce = `${textOf(fields.get("id"))}:${answers}:${handlerName}`.slice(0, nonceCharactersMax);
      const sent = isNew ? { nonce, ...body } : body;
      // There are no embeds in direct messages, where a text is needed.
      if (isDirect) return client.directMessages.send(channelId, { ...sent, content: body.content ?? "" });
      const threadId = textOf(fields.get("thread_id"));
      if (threadId !== null) return client.threads.reply(channelId, threadId, { ...sent, content: body.content });
      const messageId =
        textOf(fields.get("message_id")) ?? (event.name.includes("MESSAGE") ? textOf(fields.get("id")) : null);
      return client.messages.send(channelId, { reply_to: event.name === "MESSAGE_DELETE" ? null : messageId, ...sent });
    },
    waitFor: wait,
    async nextMessage(milliseconds) {
      if (channelId === null || authorId === null) throw new Error(`${event.name} has no author in a channel.`);
      const threadId = textOf(fields.get("thread_id"));
      const name = messageEvents.find((candidate) => candidate === event.name) ?? "MESSAGE_CREATE";
      return wait(
        name,
        (message) =>
          message.channel_id === channelId &&
          message.author_id === authorId &&
          (!("thread_id" in message) || message.thread_id === threadId),
        milliseconds,
      );
    },
  };
}

const textOf = (value: unknown) => (typeof value === "string" ? value : null);
