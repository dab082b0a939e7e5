import type { Autocompletion } from "./autocompletion.js";

/** A value to choose from: a value that is shown as it is, or one with a name. */
export type Choice<Value extends string | number = string | number> =
  | Value
  | {
      /** What people see. */
      readonly name: string;
      /** What the bot gets. */
      readonly value: Value;
    };

/** Finds what an option may be while it is typed; of more than 25 choices the first 25 are shown. */
export type Autocomplete<Value extends string | number> = (
  typed: string,
  interaction: Autocompletion,
) => readonly Choice<Value>[] | Promise<readonly Choice<Value>[]>;

/** What all options have. */
interface AnyOption {
  /** What it means, for people: 1 to 100 characters. */
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
  /** What it is. */
  readonly type: "boolean" | "user" | "channel" | "role";
  /** Of texts and numbers only. */
  readonly choices?: never;
  /** Of texts and numbers only. */
  readonly min?: never;
  /** Of texts and numbers only. */
  readonly max?: never;
  /** Of texts and numbers only. */
  readonly autocomplete?: never;
}

/** An option of a command. */
export type CommandOptionDefinition = TextOption | NumberOption | PlainOption;

/** A command as a bot defines it. */
export interface CommandDefinition {
  /** What it does, for people: 1 to 100 characters. */
  readonly description: string;
  /** What it is about: `server` by default, or a message, or a user, from whose menus it is called then. */
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
