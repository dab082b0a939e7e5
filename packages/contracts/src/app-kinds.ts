// Beside the schemas that use them, because the web application shows them: a schema would bring zod into its scripts.

/** Where a command is offered (docs/protocol/apps.md#25.2). */
export const commandContexts = ["server", "message", "user"] as const;
export type CommandContext = (typeof commandContexts)[number];

/** Types of values that an option of a command takes. */
export const optionTypes = ["string", "integer", "number", "boolean", "user", "channel", "role"] as const;
export type OptionType = (typeof optionTypes)[number];

/** Bounds of a bot's declarations. */
export const commandLimits = {
  commands: 100,
  servers: 100,
  formBytes: 32_768,
  formKeys: 100,
  options: 25,
  choices: 25,
  description: 100,
  choiceText: 100,
  text: 4_000,
} as const;

/** The kinds of interactions with an app (docs/protocol/apps.md#25.3). */
export const interactionTypes = ["command", "component", "modal", "autocomplete"] as const;
export type InteractionType = (typeof interactionTypes)[number];

export const modalFieldStyles = ["short", "paragraph"] as const;

/** Bounds of a modal. */
export const modalLimits = { id: 100, title: 45, fields: 5, label: 45, text: 4_000, placeholder: 100 } as const;
