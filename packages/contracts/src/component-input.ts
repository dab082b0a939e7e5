import { z } from "zod";
import { listOf } from "./bounded.js";
import { httpUrlInput } from "./embed-input.js";
import { errorTexts } from "./error-texts.js";
import { located } from "./located.js";
import {
  type ButtonComponent,
  buttonStyles,
  type ComponentRows,
  componentLimits,
  type SelectComponent,
  selectKinds,
} from "./resources/component.js";
import { text } from "./text.js";

const required = (max: number) => text({ min: 1, max, message: `must be 1-${max} characters` });
const customId = required(componentLimits.customId);
const values = (min: number) => z.int().min(min).max(componentLimits.values).nullish();

const ButtonInput = z.object({
  type: z.literal("button"),
  style: z.enum(buttonStyles, `must be one of ${buttonStyles.join(", ")}`),
  label: required(componentLimits.label),
  custom_id: customId.nullish(),
  url: httpUrlInput.nullish(),
  disabled: z.boolean().nullish(),
});

const OptionInput = z.object({
  label: required(componentLimits.optionText),
  value: required(componentLimits.optionText),
  description: required(componentLimits.optionText).nullish(),
});

const SelectInput = z.object({
  type: z.literal("select"),
  kind: z.enum(selectKinds, `must be one of ${selectKinds.join(", ")}`),
  custom_id: customId,
  options: listOf(OptionInput, { min: 1, max: componentLimits.options }).nullish(),
  min_values: values(0),
  max_values: values(1),
  placeholder: required(componentLimits.placeholder).nullish(),
});

const ComponentInput = z.discriminatedUnion("type", [ButtonInput, SelectInput], "must be a button or a select");

/** The components of a message as they are sent (docs/protocol/apps.md#25.4). */
export const ComponentRowsInput = listOf(listOf(ComponentInput, { min: 1, max: componentLimits.buttons }), {
  max: componentLimits.rows,
});

type Button = z.output<typeof ButtonInput>;
type Select = z.output<typeof SelectInput>;

/** The fault of a button or a select by itself: the field, and the reason. */
function faultOf(component: Button | Select): [field: string, reason: string] | null {
  if (component.type === "button") {
    const [wanted, other] =
      component.style === "link" ? (["url", "custom_id"] as const) : (["custom_id", "url"] as const);
    if (!component[wanted]) return [wanted, "is required"];
    return component[other] ? [other, `is not for the style ${component.style}`] : null;
  }
  const { kind, options, min_values, max_values } = component;
  if (kind === "text" && !options) return ["options", "is required"];
  if (kind !== "text" && options) return ["options", "is for the kind text only"];
  if (options && new Set(options.map(({ value }) => value)).size < options.length)
    return ["options", "has a value twice"];
  const most = Math.min(max_values ?? 1, options?.length ?? componentLimits.values);
  return (min_values ?? 1) > most ? ["min_values", "is more than can be chosen"] : null;
}

const checked = ComponentRowsInput.superRefine((rows, context) => {
  const customIds = new Set<string>();
  const report = (path: PropertyKey[], message: string) => context.addIssue({ code: "custom", path, message });
  for (const [at, row] of rows.entries()) {
    if (row.length > 1 && row.some(({ type }) => type === "select")) report([at], "must be buttons or one select");
    for (const [place, component] of row.entries()) {
      const fault = faultOf(component);
      if (fault !== null) report([at, place, fault[0]], fault[1]);
      const { custom_id } = component;
      if (custom_id && customIds.has(custom_id)) report([at, place, "custom_id"], "must be unique in the message");
      if (custom_id) customIds.add(custom_id);
    }
  }
});

const toButton = ({ type, style, label, custom_id, url, disabled }: Button): ButtonComponent => ({
  type,
  style,
  label,
  custom_id: custom_id ?? null,
  url: url ?? null,
  disabled: disabled ?? false,
});

const toSelect = ({ type, kind, custom_id, options, ...select }: Select): SelectComponent => ({
  type,
  kind,
  custom_id,
  options:
    options?.map(({ label, value, description }) => ({ label, value, description: description ?? null })) ?? null,
  min_values: select.min_values ?? 1,
  max_values: select.max_values ?? 1,
  placeholder: select.placeholder ?? null,
});

const toRows = (rows: z.output<typeof ComponentRowsInput>): ComponentRows =>
  rows.map((row) => row.map((component) => (component.type === "button" ? toButton(component) : toSelect(component))));

/** The components of a message, as they are stored. */
export const componentList = checked.transform(toRows);

/** The same; the 400 names the path of the first fault. */
export const componentsInput = located(componentList, errorTexts.components_invalid).nullish();
