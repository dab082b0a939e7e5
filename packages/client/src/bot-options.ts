import type { BotContext } from "./bot-context.js";
import type { ClientOptions } from "./client.js";
import type { GatewayOptions } from "./gateway-options.js";
import type { DispatchEvents } from "./generated/index.js";
import type { PositionStore } from "./position-store.js";

/** The options of a bot. */
export interface BotOptions {
  /** Address of the server, such as `https://chat.example.com`. */
  readonly url: string | undefined;
  /** The bot's token. */
  readonly token: string | undefined;
  /** The text before the name of a command, `!` by default. */
  readonly prefix?: string;
  /** Where the position is kept, such as {@link createFileStore}: then the bot misses nothing while it is not running. */
  readonly store?: PositionStore;
  /** Most events handled at a time, 8 by default; those of a channel follow each other. */
  readonly concurrency?: number;
  /** Events for `waitFor`, beside those with handlers. */
  readonly events?: NonNullable<GatewayOptions["events"]>;
  /** Only the servers of this shard, `[index, count]`. */
  readonly shard?: readonly [index: number, count: number];
  /** True: the bot's own messages are handled, too. */
  readonly ownMessages?: boolean;
  /** Text for the invoker when a handler of a command, component or form fails, `Something went wrong.` by default. */
  readonly failureText?: string;
  /** Called with a line for each change of the connection and each error; by default they go to stderr. */
  readonly log?: (line: string) => void;
  /** Further options of the client. */
  readonly client?: Omit<ClientOptions, "baseUrl" | "botToken" | "tokens" | "tokenStore" | "onTokens">;
  /** Waits between attempts to connect. */
  readonly backoff?: NonNullable<GatewayOptions["backoff"]>;
}

/** Handles an event of a bot. */
export type BotHandler<Name extends keyof DispatchEvents> = (
  data: DispatchEvents[Name],
  context: BotContext,
) => unknown;
