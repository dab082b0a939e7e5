import {
  type CommandOption,
  codePointLength,
  commandLimits,
  invalidInput,
  isStorableText,
  isUuid,
} from "@parley/contracts";
import { faultText } from "../../platform/http/named-faults.js";

/** Values of options as they were sent, by name. */
export type OptionValues = Readonly<Record<string, unknown>>;
type Value = string | number | boolean;

/** Options whose values name something of the server. */
export type References = Record<"user" | "channel" | "role", string[]>;

/**
 * Checks the values of a command's options; the caller looks up values that name members, roles or channels of the
 * server.
 *
 * @param focused the option that is completed: of an autocompletion, whose values may be unfinished
 * @throws ServiceError 400 that names the first fault by its path
 */
export function checkOptions(
  options: readonly CommandOption[],
  values: OptionValues,
  focused: string | null,
): { values: Record<string, Value>; references: References } {
  const unknown = Object.keys(values).find((name) => !options.some((option) => option.name === name));
  if (unknown !== undefined) throw fault(unknown, "is no option of the command");
  const references: References = { user: [], channel: [], role: [] };
  const checked: Record<string, Value> = {};
  for (const option of options) {
    const value = values[option.name];
    if (value === undefined || value === null) {
      if (option.required && focused === null) throw fault(option.name, "is required");
      continue;
    }
    const isUnfinished = option.name === focused;
    checked[option.name] = isUnfinished ? unfinished(option, value) : checkValue(option, value);
    if (option.type === "user" || option.type === "channel" || option.type === "role") {
      references[option.type].push(String(checked[option.name]));
    }
  }
  return { values: checked, references };
}

/** @throws ServiceError 400 for the first option that names something that the server does not have */
export function requireReferences(
  options: readonly CommandOption[],
  values: Readonly<Record<string, Value>>,
  found: ReadonlySet<string>,
): void {
  for (const { name, type } of options) {
    const isReference = type === "user" || type === "channel" || type === "role";
    const value = values[name];
    if (isReference && value !== undefined && !found.has(String(value)))
      throw fault(name, `is no ${type} of the server`);
  }
}

function checkValue(option: CommandOption, value: unknown): Value {
  const { name, type, choices } = option;
  if (choices !== null && !choices.some((choice) => choice.value === value))
    throw fault(name, "is none of the choices");
  switch (type) {
    case "boolean":
      if (typeof value === "boolean") return value;
      break;
    case "integer":
    case "number":
      if (typeof value === "number" && (type === "number" || Number.isSafeInteger(value)))
        return inBounds(option, value);
      break;
    case "string":
      if (typeof value === "string" && isStorableText(value)) return lengthInBounds(option, value);
      break;
    default:
      if (typeof value === "string" && isUuid(value)) return value.toLowerCase();
  }
  throw fault(name, `must be of the type ${type}`);
}

function unfinished({ name }: CommandOption, value: unknown): Value {
  const isShort =
    typeof value === "number" ||
    (typeof value === "string" && isStorableText(value) && value.length <= commandLimits.text);
  if (!isShort) throw fault(name, "must be a text or a number");
  return value;
}

function inBounds({ name, min, max }: CommandOption, value: number): number {
  if (min !== null && value < min) throw fault(name, `must be ${min} or more`);
  if (max !== null && value > max) throw fault(name, `must be ${max} or less`);
  return value;
}

function lengthInBounds({ name, min, max }: CommandOption, value: string): string {
  const length = value.length > 2 * commandLimits.text ? value.length : codePointLength(value);
  const most = max ?? commandLimits.text;
  if (length < (min ?? 0) || length > most) throw fault(name, `must be ${min ?? 0}-${most} characters`);
  return value;
}

const fault = (name: string, text: string) => invalidInput(faultText("options", [name], text));
