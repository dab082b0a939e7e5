import { type BotContext, type CommandContext, type MessageEventName, messageEvents } from "./bot-context.js";
import type { DispatchEvents } from "./generated/index.js";

/** Commands in messages: behind a prefix comes the name of a command, and then its text. */
export class TextCommands {
  readonly #prefix: string;
  readonly #handlers = new Map<string, (context: CommandContext) => unknown>();

  /** `prefix` is that of all commands. */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Adds a command; returns the events that bring commands when it is the first one. */
  add(name: string, handler: (context: CommandContext) => unknown): readonly MessageEventName[] {
    const events = this.#handlers.size === 0 ? messageEvents : [];
    this.#handlers.set(name.toLowerCase(), handler);
    return events;
  }

  /** Handles a message that is a command. */
  readonly answer = (message: DispatchEvents[MessageEventName], context: BotContext): unknown => {
    const { content } = message;
    const { author } = context;
    if (author === null || !content.startsWith(this.#prefix)) return undefined;
    const [, name = "", text = ""] = /^(\S*)\s*([\s\S]*)$/.exec(content.slice(this.#prefix.length)) ?? [];
    const args = text.split(/\s+/).filter((word) => word !== "");
    return this.#handlers.get(name.toLowerCase())?.({ ...context, author, message, text, args });
  };
}
