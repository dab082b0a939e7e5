import type { Interaction } from "./autocompletion.js";
import type { CommandDefinition, OptionValues } from "./command-options.js";
import type { InteractionMessage, InteractionsAnswerBody } from "./generated/index.js";

/** A message that answers an interaction. */
export type InteractionReply = Extract<InteractionsAnswerBody, { type: "message" }>["data"];
/** The replacement for the message of a component; absent keys stay, null and `[]` clear. */
export type MessageReplacement = Extract<InteractionsAnswerBody, { type: "update" }>["data"];

/** Which presses are collected, and how long. */
export interface PressOptions {
  /** How long in milliseconds. */
  readonly timeMs: number;
  /** Whether to take a press; the others go to the handlers of the bot. An error that it throws ends the collector. */
  readonly filter?: (press: ComponentInteraction) => boolean;
  /** Most presses; without it there is no limit. */
  readonly max?: number;
  /** Ends it. */
  readonly signal?: AbortSignal;
}

/** Presses one by one as they come; it is done after its time, after `max` presses, and when its signal is aborted. */
export type PressCollector = AsyncIterableIterator<ComponentInteraction>;

/** A message that answered an interaction. */
export interface SentReply {
  /** Null for an ephemeral message. */
  readonly id: string | null;
  /**
   * The presses of the message's components, from now on. Each is to be answered within three seconds of the press, so it
   * is a loop: `for await (const press of sent.collect({ timeMs: 60_000 })) await press.update(…)`.
   *
   * @throws ParleyError `gateway_closed` from the loop when the bot stops
   */
  collect(options: PressOptions): PressCollector;
  /** The next press that fits; null when none came in time. */
  nextPress(options: Omit<PressOptions, "max">): Promise<ComponentInteraction | null>;
}

/** An interaction that takes messages. */
export interface AnswerableInteraction extends Interaction {
  /**
   * The first answer, within three seconds; or, after `defer`, its completion. With `ephemeral` only the invoker sees
   * it.
   *
   * @throws ParleyError as every request. With the code `already_answered` when the connection that had the interaction
   * before has answered it: let it pass, the bot takes it for the end of the handler and not for a failure
   */
  reply(message: string | InteractionReply): Promise<SentReply>;
  /** Asks for more time: `reply` may then come within 15 minutes, and is ephemeral if this was. */
  defer(options?: { readonly ephemeral?: boolean }): Promise<void>;
  /** Another message after the first answer, within 15 minutes. */
  followUp(message: string | InteractionReply): Promise<SentReply>;
}

/** A field of a form. */
export interface FormField {
  /** The text above it: 1 to 45 characters. */
  readonly label: string;
  /** One line, the default, or several. */
  readonly style?: "short" | "paragraph";
  /** True by default; without a text of a field that is not required the bot gets `""`. */
  readonly required?: boolean;
  /** Least length. */
  readonly min?: number;
  /** Largest length. */
  readonly max?: number;
  /** The text that it begins with. */
  readonly value?: string;
  /** The text while it is empty. */
  readonly placeholder?: string;
}

/** A form that somebody is to fill in. */
export interface Form {
  /** 1 to 45 characters. */
  readonly title: string;
  /** One to five fields by their ids. */
  readonly fields: Readonly<Record<string, FormField>>;
}

/** An interaction that may be answered by a form. */
export interface FormInteraction extends AnswerableInteraction {
  /**
   * Answers with a form. The filled form goes to the handler of {@link BotProgram.modal} whose prefix `id` begins with.
   */
  modal(form: Form & { readonly id: string }): Promise<undefined>;
  /**
   * Answers with a form, and waits for it; null when nothing was handed in within `timeMs`, by default the 15 minutes
   * that the server waits. A user who closes the form causes no event.
   */
  modal<const Given extends Form>(
    form: Given,
    options?: { readonly timeMs?: number },
  ): Promise<ModalInteraction<keyof Given["fields"] & string> | null>;
}

/** The target of a command, by its context. */
export type CommandTarget<Definition extends CommandDefinition> = Definition extends { readonly context: "message" }
  ? InteractionMessage
  : Definition extends { readonly context: "user" }
    ? {
        /** The user. */
        readonly id: string;
      }
    : null;

/** A command that somebody uses. */
export interface CommandInteraction<Definition extends CommandDefinition = CommandDefinition> extends FormInteraction {
  /** Name of the command. */
  readonly name: string;
  /** Values by the names of the options. */
  readonly options: OptionValues<Definition>;
  /** The message or user that the command is about; null for one of the context `server`. */
  readonly target: CommandTarget<Definition>;
}

/** A button that somebody pressed, or a select in which they have selected. */
export interface ComponentInteraction extends FormInteraction {
  /** The message of the component. */
  readonly message: InteractionMessage;
  /** Which component it is. */
  readonly customId: string;
  /** The rest of `customId` behind the prefix of the handler; all of it in a collector. */
  readonly rest: string;
  /** The selected values; empty for a button. */
  readonly values: readonly string[];
  /** Replaces the message of the component; a text replaces its content. */
  update(message: string | MessageReplacement): Promise<void>;
}

/** A form that somebody has filled in. */
export interface ModalInteraction<Id extends string = string> extends AnswerableInteraction {
  /** The rest of the id behind the prefix of the handler. */
  readonly rest: string;
  /** Texts by the ids of the fields. */
  readonly fields: Readonly<Record<Id, string>>;
}
