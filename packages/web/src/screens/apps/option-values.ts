import type { CommandOption } from "@parley/client";
import { commandLimits } from "@parley/contracts";
import { texts } from "../../texts/texts.js";
import { lengthFault } from "./faults.js";

/** The value of an option as a command is used with it; undefined where none is given. */
export type OptionValue = string | number | boolean | undefined;

/** A value, or the fault of its text. */
export type ReadValue = { value: OptionValue } | { fault: string };

/** Reads the value of an option from the text in its field. */
export function readOption(option: CommandOption, text: string): ReadValue {
  const labels = texts.apps.faults;
  const { type, required, choices, min, max } = option;
  const typed = type === "string" ? text : text.trim();
  if (typed === "") return required ? { fault: labels.required } : { value: undefined };
  if (choices !== null) {
    const choice = choices.find(({ value }) => String(value) === typed);
    return choice === undefined ? { fault: labels.choice } : { value: choice.value };
  }
  if (type === "boolean") return { value: typed === "true" };
  if (type === "integer" || type === "number") return readNumber(option, typed);
  if (type !== "string") return { value: typed };
  const fault = lengthFault(text, { isRequired: required, min, max: max ?? commandLimits.text });
  return fault === undefined ? { value: text } : { fault };
}

function readNumber({ type, min, max }: CommandOption, typed: string): ReadValue {
  const labels = texts.apps.faults;
  const value = Number(typed);
  if (type === "integer" && !Number.isSafeInteger(value)) return { fault: labels.integer };
  if (!Number.isFinite(value)) return { fault: labels.number };
  if (min !== null && value < min) return { fault: labels.least(min) };
  if (max !== null && value > max) return { fault: labels.most(max) };
  return { value };
}
