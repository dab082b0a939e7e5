import { type AnyCommandInteraction, Apps, type ComponentHandler, type ModalHandler } from "./apps.js";
import { type BotContext, type CommandContext, createContext, type WaitFor } from "./bot-context.js";
import { createBotClient, createServerLookup, insist } from "./bot-lookups.js";
import type { BotHandler, BotOptions } from "./bot-options.js";
import type { ParleyClient } from "./client.js";
import type { CommandDefinition } from "./command-options.js";
import type { Turn } from "./consume.js";
import { ParleyError } from "./error.js";
import type { Gateway } from "./gateway.js";
import type { GatewayEvent, GatewayOptions } from "./gateway-options.js";
import type { DispatchEvents, NewInteraction } from "./generated/index.js";
import type { CommandInteraction, PressCollector, PressOptions } from "./interaction.js";
import { TextCommands } from "./text-commands.js";

/** A handler with its number in the order in which they were added. */
interface Registered {
  readonly name: string;
  readonly given: unknown;
  readonly call: (event: GatewayEvent, context: BotContext) => unknown;
}

/** Events that the server sends to those only who ask for all members. */
const memberEvents = [
  "MEMBER_JOIN",
  "MEMBER_UPDATE",
  "MEMBER_LEAVE",
  "EVENT_INTEREST_ADD",
  "EVENT_INTEREST_REMOVE",
  "POLL_VOTE_ADD",
  "POLL_VOTE_REMOVE",
  "THREAD_START",
  "AUDIT_LOG_ENTRY_CREATE",
] as const;

/** Makes a bot: handlers are added to it, then it runs. */
export const createBot = (options: BotOptions): BotProgram => new BotProgram(options);

/** Handlers of commands and events, over a connection that continues where the last run stopped. */
export class BotProgram {
  readonly #options: BotOptions;
  readonly #handlers = new Map<string, Registered[]>();
  readonly #textCommands: TextCommands;
  readonly #apps: Apps;
  readonly #serverOf = createServerLookup(() => this.client);
  readonly #stopped = new AbortController();
  /** No event is handled any more, whatever the reason. */
  readonly #ended = new AbortController();
  #failure: { readonly error: unknown } | null = null;
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
    this.#textCommands = new TextCommands(options.prefix ?? "!");
    this.#apps = new Apps({
      client: () => this.client,
      failureText: options.failureText ?? "Something went wrong.",
      log: (line) => this.log(line),
      hasOthers: () => (this.#handlers.get("INTERACTION_CREATE") ?? []).length > 0,
      onError: (error, raw) => this.#failInteraction(error, raw),
    });
  }

  /**
   * For requests in the name of the bot.
   *
   * @throws ParleyError without `url` or `token`, and for an address that is none
   */
  get client(): ParleyClient {
    this.#client ??= createBotClient(this.#options);
    return this.#client;
  }

  /**
   * Answers a command that people find in the menu of commands. The commands of a bot are registered at its start, if the
   * server has others. The values of `options` have the types that `definition` says.
   */
  command<const Definition extends CommandDefinition>(
    name: string,
    definition: Definition,
    handler: (interaction: CommandInteraction<Definition>) => unknown,
  ): this;
  /** Answers a command that is a message: one that begins with the prefix and `name`. */
  command(name: string, handler: (context: CommandContext) => unknown): this;
  command(
    name: string,
    ...rest:
      | [handler: (context: CommandContext) => unknown]
      | [definition: CommandDefinition, handler: (interaction: AnyCommandInteraction) => unknown]
  ): this {
    if (rest.length === 2) {
      this.#apps.addCommand(name, ...rest);
      return this;
    }
    for (const event of this.#textCommands.add(name, rest[0])) this.on(event, this.#textCommands.answer);
    return this;
  }

  /** Handles presses of buttons whose ids begin with `prefix`; of several prefixes the longest counts. */
  button(prefix: string, handler: ComponentHandler): this {
    this.#apps.addHandler("button", prefix, handler);
    return this;
  }

  /** Handles selections in selects whose ids begin with `prefix`, as `button`. */
  select(prefix: string, handler: ComponentHandler): this {
    this.#apps.addHandler("select", prefix, handler);
    return this;
  }

  /** Handles forms whose ids begin with `prefix`, as `button`; those that somebody waits for have no id. */
  modal(prefix: string, handler: ModalHandler): this {
    this.#apps.addModal(prefix, handler);
    return this;
  }

  /**
   * The presses of the components of a message of the bot, as {@link SentReply.collect}. A press that a collector takes
   * goes to no other handler. With several processes on the same servers a press may come to another one: use `button`
   * and `select`.
   */
  collect(messageId: string, options: PressOptions): PressCollector {
    this.#requireEvent("INTERACTION_CREATE");
    return this.#apps.collectors.collect(({ message }) => message?.id === messageId, options);
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
   * Handles the errors of the other handlers, which are only logged otherwise. The event counts as handled then. An
   * error that `handler` itself throws ends the bot, and the next run receives the event again.
   */
  catch(handler: (error: unknown, context: BotContext) => unknown): this {
    this.#onError = handler;
    return this;
  }

  /** Waits for an event of a name that has a handler or is among the option `events`; null when none came in time. */
  readonly waitFor: WaitFor = async (name, filter, milliseconds) => {
    const gateway = this.#gateway;
    if (gateway === null) throw new Error("The bot is not running.");
    this.#requireEvent(name);
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
   * @throws ParleyError when there is no access (any more); the error of the store or of the handler of errors
   */
  async start(): Promise<void> {
    const { events = [], shard, store, concurrency, backoff } = this.#options;
    const names = new Set([...events, ...[...this.#handlers.keys()].filter(isEventName)]);
    if (this.#apps.hasHandlers) names.add("INTERACTION_CREATE");
    this.#events = new Set([...names, ...unfiltered]);
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
      // An event whose handling a stop interrupts comes again in the next run.
      if (!this.#stopped.signal.aborted) throw error;
    };
    // Beside the other events: an interaction waits three seconds, and no event of its channel is to come first.
    this.#gateway.on("INTERACTION_CREATE", (raw) => this.#apps.receive(raw));
    const registering = this.#register();
    try {
      await this.#gateway.consume((event, turn) => this.#handle(event, turn), { store, concurrency, onError });
    } finally {
      this.#ended.abort();
      await this.#apps.stop(new ParleyError({ status: 0, code: "gateway_closed", text: "The bot was stopped" }));
      await registering;
    }
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** Ends the bot: no event is begun any more. */
  stop(): void {
    this.#stopped.abort();
    this.#ended.abort();
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

  #requireEvent(name: keyof DispatchEvents): void {
    if (!this.#events.has(name)) throw new Error(`The bot does not get ${name}: name it in the option events.`);
  }

  async #register(): Promise<void> {
    await insist(() => this.#apps.register(), this.#ended.signal).catch((error: unknown) => this.#fail(error));
  }

  /** Ends the bot with an error. */
  #fail(error: unknown): void {
    if (this.#ended.signal.aborted) return;
    this.#failure ??= { error };
    this.#gateway?.close();
  }

  async #failInteraction(error: unknown, data: NewInteraction): Promise<void> {
    const event: GatewayEvent = { name: "INTERACTION_CREATE", data, position: null };
    const turn = { release: () => undefined };
    try {
      await this.#onError(error, this.#contextOf(event, turn, "interaction"));
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  #contextOf(event: GatewayEvent, turn: Turn, handlerName: string): BotContext {
    const { client, waitFor } = this;
    return createContext({ client, event, turn, handlerName, serverOf: this.#serverOf, waitFor });
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
      const context = this.#contextOf(event, turn, name);
      try {
        await call(event, context);
      } catch (error) {
        if (this.#stopped.signal.aborted) throw error;
        await this.#onError(error, context);
      }
    }
  }

  async #isOwn({ data }: GatewayEvent): Promise<boolean> {
    if (this.#options.ownMessages === true || !("author_id" in data)) return false;
    return data.author_id === (await this.#findOwnId());
  }

  /** A run that continues from a position gets no READY, which has the id. */
  async #findOwnId(): Promise<string> {
    this.#ownId ??= await insist(async () => this.#ownId ?? (await this.client.users.me()).id, this.#ended.signal);
    return this.#ownId;
  }
}

type FilteredEvent = NonNullable<GatewayOptions["events"]>[number];

/** Events that every connection gets, whatever it filters. */
const unfiltered = ["READY", "RESUMED", "VIEW_ACK", "CHANNEL_ACTIVITY"];
const isEventName = (name: string): name is FilteredEvent => !unfiltered.includes(name);

function isNamed<Name extends keyof DispatchEvents>(
  event: GatewayEvent,
  name: Name,
): event is GatewayEvent & { name: Name; data: DispatchEvents[Name] } {
  return event.name === name;
}

const describe = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error));
