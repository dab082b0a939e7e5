// Beside the schemas that use them, because the web application shows them: a schema would bring zod into its scripts.

/** Where a command is offered (docs/interface.md#25.2). */
export const commandContexts = ["server", "message", "user"] as const;
export type CommandContext = (typeof commandContexts)[number];

/** What an option of a command takes. */
export const optionTypes = ["string", "integer", "number", "boolean", "user", "channel", "role"] as const;
export type OptionType = (typeof optionTypes)[number];

/** Bounds of what a bot declares. */
export const commandLimits = {
  commands: 100,
  options: 25,
  choices: 25,
  description: 100,
  choiceText: 100,
  text: 4_000,
} as const;
