import type {
  Choice,
  CommandDefinition,
  CommandOptionDefinition,
  NumberOption,
  TextOption,
} from "./command-options.js";
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
  const { description, type, required = false } = option;
  const plain = { name, description, type, required, choices: null, min: null, max: null, autocomplete: false };
  if (!isTyped(option)) return plain;
  const { choices, min = null, max = null, autocomplete } = option;
  return { ...plain, choices: choices?.map(choiceBody) ?? null, min, max, autocomplete: autocomplete !== undefined };
}

const isTyped = (option: CommandOptionDefinition): option is TextOption | NumberOption =>
  option.type === "string" || option.type === "integer" || option.type === "number";

/** Whether the server has these commands already, in this order. */
export function isSameList(stored: readonly Command[], wanted: readonly CommandBody[]): boolean {
  // Written from the keys of a stored command, so that what is compared has them in one order.
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
