import type { ParleyClient } from "./client.js";
import { choiceBody, commandBody, isSameList } from "./command-list.js";
import type { CommandDefinition } from "./command-options.js";
import { createAnswerable, createBare, createFormInteraction, type InteractionParts } from "./create-interaction.js";
import type { NewInteraction } from "./generated/index.js";
import type { CommandInteraction, ComponentInteraction, ModalInteraction } from "./interaction.js";
import { InteractionAnswers, isHandOver } from "./interaction-answers.js";
import { PressCollectors } from "./presses.js";

/** A command of any definition. */
export interface AnyCommandInteraction extends Omit<CommandInteraction, "options" | "target"> {
  /** Values by the names of the options. */
  readonly options: Readonly<Record<string, string | number | boolean>>;
  /** The message or user that it is about. */
  readonly target: { readonly id: string } | null;
}
/** Handles a command. */
type CommandHandler = (interaction: AnyCommandInteraction) => unknown;
/** Handles presses of buttons, or selections. */
export type ComponentHandler = (interaction: ComponentInteraction) => unknown;
/** Handles forms that are handed in. */
export type ModalHandler = (interaction: ModalInteraction) => unknown;

/** The parts of a bot that its interactions need. */
export interface AppsOptions {
  /** For requests; not asked for before the bot runs. */
  readonly client: () => ParleyClient;
  /** Text for the invoker when a handler failed, or when there is none. */
  readonly failureText: string;
  /** Writes a line. */
  readonly log: (line: string) => void;
  /** Whether other handlers of the bot get interactions, too, so that one without a handler here may be theirs. */
  readonly hasOthers: () => boolean;
  /** Handles the error of a handler. */
  readonly onError: (error: unknown, raw: NewInteraction) => Promise<void>;
}

const choicesMax = 25;

/** Commands, components and forms of a bot, and their handlers. */
export class Apps {
  readonly #options: AppsOptions;
  readonly #commands = new Map<string, { readonly definition: CommandDefinition; readonly handler: CommandHandler }>();
  readonly #handlers = {
    button: new Map<string, ComponentHandler>(),
    select: new Map<string, ComponentHandler>(),
    modal: new Map<string, ModalHandler>(),
  };
  readonly #forms = new Map<string, (form: ModalInteraction) => void>();
  readonly #running = new Set<Promise<void>>();
  readonly #stopped = new AbortController();
  /** Presses that somebody waits for. */
  readonly collectors = new PressCollectors();

  /** For one bot. */
  constructor(options: AppsOptions) {
    this.#options = options;
  }

  /** Whether there is a handler of anything. */
  get hasHandlers(): boolean {
    const { button, select, modal } = this.#handlers;
    return this.#commands.size + button.size + select.size + modal.size > 0;
  }

  /** Adds a command, or replaces the one of the same name and context. */
  addCommand(name: string, definition: CommandDefinition, handler: CommandHandler): void {
    this.#commands.set(`${definition.context ?? "server"} ${name}`, { definition, handler });
  }

  /** Adds a handler of ids that begin with `prefix`. */
  addHandler(kind: "button" | "select", prefix: string, handler: ComponentHandler): void {
    this.#handlers[kind].set(prefix, handler);
  }

  /** Adds a handler of forms whose ids begin with `prefix`. */
  addModal(prefix: string, handler: ModalHandler): void {
    this.#handlers.modal.set(prefix, handler);
  }

  /**
   * Makes the server's list of commands the one of the bot, with a request only when it is another one. A bot without
   * commands leaves the list as it is.
   *
   * @throws ParleyError as every request, `commands_invalid` for a definition that the server refuses
   */
  async register(): Promise<void> {
    if (this.#commands.size === 0) return;
    const commands = [...this.#commands].map(([key, { definition }]) =>
      commandBody(key.slice(key.indexOf(" ") + 1), definition),
    );
    const stored = await this.#options.client().commands.own();
    if (isSameList(stored.commands, commands)) return;
    await this.#options.client().commands.replace({ commands });
    this.#options.log(`Commands registered: ${commands.map(({ name }) => name).join(", ")}`);
  }

  /** Hands an interaction to its handler. */
  receive(raw: NewInteraction): void {
    const running = this.#handle(raw).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Ends the waits for presses and forms, and resolves once the running handlers are done. */
  async stop(reason: unknown): Promise<void> {
    this.#stopped.abort(reason);
    this.collectors.end(reason);
    await Promise.all(this.#running);
  }

  async #handle(raw: NewInteraction): Promise<void> {
    const client = this.#options.client();
    const answers = new InteractionAnswers(client, raw);
    const parts: InteractionParts = {
      client,
      raw,
      answers,
      collect: (isAbout, options) => this.collectors.collect(isAbout, options),
      awaitForm: (modalId, timeMs, shown) => this.#awaitForm(modalId, timeMs, shown),
    };
    try {
      if ((await this.#dispatch(parts)) === "taken") return;
      if (await answers.settled()) this.#options.log(`The handler of ${describe(raw)} ended without an answer`);
    } catch (error) {
      if (isHandOver(error) || (this.#stopped.signal.aborted && error === this.#stopped.signal.reason)) return;
      const failing = answers.fail(this.#options.failureText);
      await this.#options.onError(error, raw);
      await failing;
    }
  }

  /** Runs the handler; `taken` when something that waited for it goes on, or when nothing is there for it. */
  async #dispatch(parts: InteractionParts): Promise<"taken" | undefined> {
    const { raw, answers } = parts;
    const { data } = raw;
    if ("custom_id" in data) return this.#press(parts, data);
    if ("modal_id" in data) return this.#handIn(parts, data);
    const command = this.#commands.get(`${data.context} ${data.name}`);
    if (command === undefined) return this.#miss(parts);
    const { name, options, focused, target_id } = data;
    if (raw.type === "autocomplete") {
      const option = command.definition.options?.[focused ?? ""];
      const complete = option?.autocomplete;
      const typed = String(options[focused ?? ""] ?? "");
      const choices = (await complete?.(typed, { ...createBare(parts), name, options })) ?? [];
      await answers.send({ type: "choices", data: choices.slice(0, choicesMax).map(choiceBody) });
      return undefined;
    }
    const target = raw.message ?? (target_id === null ? null : { id: target_id });
    await command.handler({ ...createFormInteraction(parts), name, options, target });
    return undefined;
  }

  async #press(parts: InteractionParts, data: { custom_id: string; values: string[] }) {
    const { raw, answers } = parts;
    const { custom_id: customId, values } = data;
    const { message } = raw;
    if (message === null) return this.#miss(parts);
    const press = (rest: string): ComponentInteraction => ({
      ...createFormInteraction(parts),
      ...{ message, customId, rest, values },
      async update(given) {
        await answers.send({ type: "update", data: typeof given === "string" ? { content: given } : given });
      },
    });
    if (this.collectors.take(press(customId))) return "taken";
    const component = message.components?.flat().find((each) => each.custom_id === customId);
    const found = longest(this.#handlers[component?.type ?? "button"], customId);
    if (found === null) return this.#miss(parts);
    await found.handler(press(found.rest));
    return undefined;
  }

  async #handIn(parts: InteractionParts, data: { modal_id: string; fields: Record<string, string> }) {
    const { modal_id: id, fields } = data;
    const waiting = this.#forms.get(id);
    if (waiting !== undefined) {
      waiting({ ...createAnswerable(parts), rest: "", fields });
      return "taken";
    }
    const found = longest(this.#handlers.modal, id);
    if (found === null) return this.#miss(parts);
    await found.handler({ ...createAnswerable(parts), rest: found.rest, fields });
    return undefined;
  }

  async #miss({ raw, answers }: InteractionParts): Promise<"taken"> {
    if (!this.hasHandlers || this.#options.hasOthers()) return "taken";
    this.#options.log(`Nothing handles ${describe(raw)}`);
    await answers.fail(this.#options.failureText);
    return "taken";
  }

  #awaitForm(modalId: string, timeMs: number, shown: Promise<unknown>): Promise<ModalInteraction | null> {
    const { signal } = this.#stopped;
    return new Promise((resolve, reject) => {
      const settle = (outcome: () => void) => {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
        this.#forms.delete(modalId);
        outcome();
      };
      const onAbort = () => settle(() => reject(signal.reason));
      const timer = setTimeout(() => settle(() => resolve(null)), timeMs);
      signal.addEventListener("abort", onAbort);
      this.#forms.set(modalId, (form) => settle(() => resolve(form)));
      if (signal.aborted) onAbort();
      shown.catch((error: unknown) => settle(() => reject(error)));
    });
  }
}

/** The handler with the longest prefix of an id, and the rest of the id. */
function longest<Handler>(handlers: ReadonlyMap<string, Handler>, id: string) {
  const prefixes = [...handlers.keys()].filter((prefix) => id.startsWith(prefix));
  const prefix = prefixes.sort((one, other) => other.length - one.length)[0] ?? "";
  const handler = handlers.get(prefix);
  return handler === undefined ? null : { handler, rest: id.slice(prefix.length) };
}

function describe({ type, data }: NewInteraction): string {
  if ("custom_id" in data) return `the component ${data.custom_id}`;
  if ("modal_id" in data) return `the form ${data.modal_id}`;
  return `the ${type === "command" ? "command" : "completion of the command"} ${data.name}`;
}
