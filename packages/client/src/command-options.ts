import type { Autocompletion } from "./autocompletion.js";

/** A value to choose from: a value that is shown as it is, or one with a name. */
export type Choice<Value extends string | number = string | number> =
  | Value
  | {
      /** The name for users. */
      readonly name: string;
      /** The value for the bot. */
      readonly value: Value;
    };

/** Finds the proposals for an option while the user types; of more than 25 choices the client shows the first 25. */
export type Autocomplete<Value extends string | number> = (
  typed: string,
  interaction: Autocompletion,
) => readonly Choice<Value>[] | Promise<readonly Choice<Value>[]>;

/** The keys of all options. */
interface AnyOption {
  /** Its meaning, for users: 1 to 100 characters. */
  readonly description: string;
  /** True: a command without it is not sent. */
  readonly required?: boolean;
}

/** An option that is a text. */
export interface TextOption extends AnyOption {
  /** A text. */
  readonly type: "string";
  /** The only values that it may have, at most 25. */
  readonly choices?: readonly Choice<string>[];
  /** Least length. */
  readonly min?: number;
  /** Largest length. */
  readonly max?: number;
  /** Proposes values; others may be sent, too. */
  readonly autocomplete?: Autocomplete<string>;
}

/** An option that is a number. */
export interface NumberOption extends AnyOption {
  /** A whole number, or any. */
  readonly type: "integer" | "number";
  /** The only values that it may have, at most 25. */
  readonly choices?: readonly Choice<number>[];
  /** Least value. */
  readonly min?: number;
  /** Largest value. */
  readonly max?: number;
  /** Proposes values; others may be sent, too. */
  readonly autocomplete?: Autocomplete<number>;
}

/** An option that is yes or no, or the id of something in the server. */
export interface PlainOption extends AnyOption {
  /** The type of its value. */
  readonly type: "boolean" | "user" | "channel" | "role";
  /** Only texts and numbers have choices. */
  readonly choices?: never;
  /** Only texts and numbers have a minimum. */
  readonly min?: never;
  /** Only texts and numbers have a maximum. */
  readonly max?: never;
  /** Only texts and numbers have autocomplete. */
  readonly autocomplete?: never;
}

/** An option of a command. */
export type CommandOptionDefinition = TextOption | NumberOption | PlainOption;

/** A command as a bot defines it. */
export interface CommandDefinition {
  /** Its effect, for users: 1 to 100 characters. */
  readonly description: string;
  /** Its target: `server` by default, or a message, or a user, from whose menus users call it then. */
  readonly context?: "server" | "message" | "user";
  /** Options by their names, of the context `server` only. Required ones are shown first. */
  readonly options?: Readonly<Record<string, CommandOptionDefinition>>;
  /** Bits of `Permission` that a member needs in the channel to see the command. */
  readonly defaultPermissions?: number;
}

/** The type of an option's value. */
export type OptionValue<Option> = Option extends { readonly choices: readonly (infer Given)[] }
  ? Given extends { readonly value: infer Value }
    ? Value
    : Given
  : Option extends { readonly type: "integer" | "number" }
    ? number
    : Option extends { readonly type: "boolean" }
      ? boolean
      : string;

/** The values of options: undefined for one that is not required and was left out. */
export type OptionValues<Definition extends CommandDefinition> = Definition extends { readonly options: infer Options }
  ? {
      readonly [Name in keyof Options]: Options[Name] extends { readonly required: true }
        ? OptionValue<Options[Name]>
        : OptionValue<Options[Name]> | undefined;
    }
  : Readonly<Record<string, never>>;
