import {
  type BotContext,
  type CommandContext,
  createContext,
  type MessageEventName,
  messageEvents,
  type WaitFor,
} from "./bot-context.js";
import type { BotHandler, BotOptions } from "./bot-options.js";
import { createClient, type ParleyClient } from "./client.js";
import type { Turn } from "./consume.js";
import { ParleyError } from "./error.js";
import type { Gateway } from "./gateway.js";
import type { GatewayEvent, GatewayOptions } from "./gateway-options.js";
import type { DispatchEvents, RawServer } from "./generated/index.js";
import { pause } from "./pause.js";

/** A handler with its number in the order in which they were added. */
interface Registered {
  readonly name: string;
  readonly given: unknown;
  readonly call: (event: GatewayEvent, context: BotContext) => unknown;
}

const retryMs = 1_000;
/** Events that the server sends of all members to those only who ask for them. */
const memberEvents = ["MEMBER_JOIN", "MEMBER_UPDATE", "MEMBER_LEAVE"] as const;
/** Channels of which the server is kept. */
const knownChannelsMax = 10_000;

/** Makes a bot: handlers are added to it, then it runs. */
export const createBot = (options: BotOptions): BotProgram => new BotProgram(options);

/** Handlers of commands and events, over a connection that continues where the last run stopped. */
export class BotProgram {
  readonly #options: BotOptions;
  readonly #handlers = new Map<string, Registered[]>();
  readonly #commands = new Map<string, (context: CommandContext) => unknown>();
  readonly #serverIds = new Map<string, string | null>();
  readonly #stopped = new AbortController();
  #client: ParleyClient | null = null;
  #gateway: Gateway | null = null;
  #events: ReadonlySet<string> = new Set();
  #ownId: string | null = null;
  #count = 0;
  #onError: (error: unknown, context: BotContext) => unknown = (error, { event }) =>
    this.log(`The handler of ${event.name} failed: ${describe(error)}`);

  /** Made by {@link createBot}. */
  constructor(options: BotOptions) {
    this.#options = options;
  }

  /**
   * For requests in the name of the bot.
   *
   * @throws ParleyError without `url` or `token`, and for an address that is none
   */
  get client(): ParleyClient {
    const { url, token, client } = this.#options;
    if (!url) throw unset("url", "the address of its server such as https://chat.example.com");
    if (!token) throw unset("token", "which is shown when the bot is created");
    try {
      this.#client ??= createClient({ ...client, baseUrl: url, botToken: token });
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      throw new ParleyError({ status: 0, code: "wrong_setting", text, cause: error });
    }
    return this.#client;
  }

  /** Answers a command: a message that begins with the prefix and `name`. */
  command(name: string, handler: (context: CommandContext) => unknown): this {
    if (this.#commands.size === 0) for (const event of messageEvents) this.on(event, this.#answerCommand);
    this.#commands.set(name.toLowerCase(), handler);
    return this;
  }

  /**
   * Handles every event of that name, but not the bot's own messages. Handlers of one event follow each other in the
   * order in which they were added. READY comes after events were missed (`resync`), or without a store.
   */
  on<Name extends keyof DispatchEvents>(name: Name, handler: BotHandler<Name>): this {
    return this.#add(name, handler, handler);
  }

  /** Handles the next event of that name only. */
  once<Name extends keyof DispatchEvents>(name: Name, handler: BotHandler<Name>): this {
    return this.#add(name, handler, (data, context) => {
      this.off(name, handler);
      return handler(data, context);
    });
  }

  /** Removes a handler. */
  off<Name extends keyof DispatchEvents>(name: Name, handler: BotHandler<Name>): this {
    const left = (this.#handlers.get(name) ?? []).filter(({ given }) => given !== handler);
    this.#handlers.set(name, left);
    return this;
  }

  /**
   * Handles what the other handlers throw, which is logged otherwise. The event counts as handled then. An error that
   * `handler` itself throws ends the bot, and the next run receives the event again.
   */
  catch(handler: (error: unknown, context: BotContext) => unknown): this {
    this.#onError = handler;
    return this;
  }

  /** Waits for an event of a name that has a handler or is among the option `events`; null when none came in time. */
  readonly waitFor: WaitFor = async (name, filter, milliseconds) => {
    const gateway = this.#gateway;
    if (gateway === null) throw new Error("The bot is not running.");
    if (!this.#events.has(name)) throw new Error(`The bot does not get ${name}: name it in the option events.`);
    const [found = null] = await gateway.collect(name, { filter, max: 1, timeoutMs: milliseconds });
    return found;
  };

  /** Writes a line where the bot's lines go. */
  log(line: string): void {
    const { log = (text: string) => void globalThis.process?.stderr?.write(`${text}\n`) } = this.#options;
    log(line);
  }

  /**
   * Runs until {@link BotProgram.stop}; resolves once the handlers of the moment are done.
   *
   * @throws ParleyError when there is no access (any more); what the store or the handler of errors threw
   */
  async start(): Promise<void> {
    const { events = [], shard, store, concurrency, backoff } = this.#options;
    const names = new Set([...events, ...[...this.#handlers.keys()].filter(isEventName)]);
    this.#events = new Set([...names, "READY", "RESUMED"]);
    this.#gateway = this.client.gateway({
      members: memberEvents.some((name) => names.has(name)) ? "all" : undefined,
      presence: names.has("PRESENCE_UPDATE") ? undefined : "none",
      events: names.size === 0 ? undefined : [...names],
      shard,
      backoff,
      log: (line) => this.log(line),
    });
    this.#stopped.signal.addEventListener("abort", () => this.#gateway?.close(), { once: true });
    if (this.#stopped.signal.aborted) return;
    const onError = (error: unknown) => {
      // What a stop interrupts comes again in the next run.
      if (!this.#stopped.signal.aborted) throw error;
    };
    await this.#gateway.consume((event, turn) => this.#handle(event, turn), { store, concurrency, onError });
  }

  /** Ends the bot: no event is begun any more. */
  stop(): void {
    this.#stopped.abort();
  }

  /**
   * The whole of a program: runs until SIGINT or SIGTERM. An end with an error is one line of the log, and the process
   * exits with code 1, so that a supervisor notices.
   */
  async run(): Promise<void> {
    const { process } = globalThis;
    const stop = () => this.stop();
    const signals = ["SIGINT", "SIGTERM"] as const;
    for (const signal of signals) process?.once(signal, stop);
    try {
      await this.start();
    } catch (error) {
      this.log(`The bot ends: ${error instanceof ParleyError ? error.message : describe(error)}`);
      process.exitCode = 1;
    } finally {
      for (const signal of signals) process?.off(signal, stop);
    }
  }

  #add<Name extends keyof DispatchEvents>(name: Name, given: BotHandler<Name>, handler: BotHandler<Name>): this {
    const call: Registered["call"] = (event, context) => {
      if (isNamed(event, name)) return handler(event.data, context);
      return undefined;
    };
    const handlers = this.#handlers.get(name) ?? [];
    this.#count += 1;
    this.#handlers.set(name, [...handlers, { name: `${name}-${this.#count}`, given, call }]);
    return this;
  }

  async #handle(event: GatewayEvent, turn: Turn): Promise<void> {
    if (event.name === "READY") this.#ownId = event.data.user.id;
    const handlers = this.#handlers.get(event.name) ?? [];
    if (handlers.length === 0 || (await this.#isOwn(event))) return;
    for (const { name, call } of handlers) {
      const { client, waitFor } = this;
      const serverOf = (channelId: string) => this.#serverOf(channelId);
      const context = createContext({ client, event, turn, handlerName: name, serverOf, waitFor });
      try {
        await call(event, context);
      } catch (error) {
        if (this.#stopped.signal.aborted) throw error;
        await this.#onError(error, context);
      }
    }
  }

  readonly #answerCommand = (message: DispatchEvents[MessageEventName], context: BotContext): unknown => {
    const { prefix = "!" } = this.#options;
    const { content } = message;
    const { author } = context;
    if (author === null || !content.startsWith(prefix)) return undefined;
    const [, name = "", text = ""] = /^(\S*)\s*([\s\S]*)$/.exec(content.slice(prefix.length)) ?? [];
    const args = text.split(/\s+/).filter((word) => word !== "");
    return this.#commands.get(name.toLowerCase())?.({ ...context, author, message, text, args });
  };

  async #isOwn({ data }: GatewayEvent): Promise<boolean> {
    if (this.#options.ownMessages === true || !("author_id" in data)) return false;
    return data.author_id === (await this.#findOwnId());
  }

  /** A run that continues from a position gets no READY, which has the id. */
  async #findOwnId(): Promise<string> {
    for (;;) {
      if (this.#ownId !== null) return this.#ownId;
      try {
        this.#ownId = (await this.client.users.me()).id;
      } catch (error) {
        const isPassing = error instanceof ParleyError && (error.status === 0 || error.status >= 429);
        if (!isPassing) throw error;
        await pause(retryMs, this.#stopped.signal);
      }
    }
  }

  async #serverOf(channelId: string): Promise<RawServer | null> {
    let serverId = this.#serverIds.get(channelId);
    if (serverId === undefined) {
      serverId = (await this.client.channels.get(channelId)).server_id;
      if (this.#serverIds.size >= knownChannelsMax) this.#serverIds.clear();
      this.#serverIds.set(channelId, serverId);
    }
    return serverId === null ? null : this.client.servers.get(serverId);
  }
}

const unset = (name: string, what: string) =>
  new ParleyError({
    status: 0,
    code: "wrong_setting",
    text: `A bot needs \`${name}\`, ${what}: is the setting there?`,
  });

type FilteredEvent = NonNullable<GatewayOptions["events"]>[number];

const isEventName = (name: string): name is FilteredEvent => name !== "READY" && name !== "RESUMED";

function isNamed<Name extends keyof DispatchEvents>(
  event: GatewayEvent,
  name: Name,
): event is GatewayEvent & { name: Name; data: DispatchEvents[Name] } {
  return event.name === name;
}

const describe = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error));
