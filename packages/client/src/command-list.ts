import type { Choice, CommandDefinition, CommandOptionDefinition } from "./command-options.js";
import type { Command, CommandChoice, CommandsReplaceBody } from "./generated/index.js";

type CommandBody = CommandsReplaceBody["commands"][number];

/** A choice as it is sent. */
export const choiceBody = (choice: Choice): CommandChoice =>
  typeof choice === "object" ? { ...choice } : { name: String(choice), value: choice };

/** A command as it is sent: required options first, as the server wants them. */
export function commandBody(name: string, definition: CommandDefinition): CommandBody {
  const options = Object.entries(definition.options ?? {}).map(optionBody);
  return {
    name,
    description: definition.description,
    context: definition.context ?? "server",
    options: [...options.filter(({ required }) => required), ...options.filter(({ required }) => !required)],
    default_permissions: definition.defaultPermissions ?? null,
  };
}

function optionBody([name, option]: [string, CommandOptionDefinition]) {
  const { description, type, required = false, choices, min = null, max = null, autocomplete } = option;
  const listed = choices?.map(choiceBody) ?? null;
  return { name, description, type, required, choices: listed, min, max, autocomplete: autocomplete !== undefined };
}

/** Whether the server has these commands already, in this order. */
export function isSameList(stored: readonly Command[], wanted: readonly CommandBody[]): boolean {
  // Written from the keys of a stored command, so that both texts have them in one order.
  return JSON.stringify(stored.map(comparable)) === JSON.stringify(wanted.map(comparable));
}

const comparable = ({ name, description, context, options, default_permissions }: CommandBody) => [
  ...[name, description, context, default_permissions],
  (options ?? []).map((option) => [
    ...[option.name, option.description, option.type, option.required],
    ...[option.min, option.max, option.autocomplete],
    option.choices?.map((choice) => [choice.name, choice.value]) ?? null,
  ]),
];
