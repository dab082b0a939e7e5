import { ComponentType, TextInputStyle } from "discord-api-types/v10";
import { z } from "zod";
import { type FaultPath, unsupported } from "../rest/errors.js";
import { storedModalId } from "./interaction.js";

const textInput = z.looseObject({
  type: z.int(),
  custom_id: z.string(),
  style: z.int().nullish(),
  label: z.string().nullish(),
  required: z.boolean().nullish(),
  min_length: z.int().nullish(),
  max_length: z.int().nullish(),
  value: z.string().nullish(),
  placeholder: z.string().nullish(),
});

/** A modal as bots answer with it: rows of one text each, or labels. */
export const modalInput = z.object({
  custom_id: z.string(),
  title: z.string(),
  components: z.array(
    z.looseObject({
      type: z.int(),
      label: z.string().nullish(),
      components: z.array(textInput).nullish(),
      component: textInput.nullish(),
    }),
  ),
});

type ModalInput = z.output<typeof modalInput>;
const inputsOf = ({ component, components }: ModalInput["components"][number]) =>
  component ? [component] : (components ?? []);

/** Finds the place in a modal of a fault that the api names by its own form. */
export const modalPlaces = ({ components }: ModalInput): ((path: FaultPath) => FaultPath) => {
  const fields = components.flatMap((row, index) => {
    if (row.type === ComponentType.TextDisplay) return [];
    const inner = (at: number): FaultPath => (row.component ? ["component"] : ["components", at]);
    return inputsOf(row).map((_, at) => ({
      row: ["components", index],
      input: ["components", index, ...inner(at)],
      has: row,
    }));
  });
  return ([list, index, key = "", ...rest]) => {
    const field = list === "fields" ? fields[Number(index)] : undefined;
    if (field === undefined)
      return [list === "modal_id" ? "custom_id" : list === "fields" ? "components" : (list ?? "")];
    const place = key === "label" && field.has.label ? field.row : field.input;
    return [...place, ...(key === "" ? [] : [key === "id" ? "custom_id" : key]), ...rest];
  };
};

/** The modal as the api takes it. @throws DiscordError 50035 for fields that are no texts */
export function fromModal({ custom_id, title, components }: ModalInput): object {
  const hasLabels = components.some(({ type }) => type === ComponentType.Label);
  const fields = components.flatMap((row, index) => {
    if (row.type === ComponentType.TextDisplay) return [];
    return inputsOf(row).map((input) => {
      if (input.type !== ComponentType.TextInput) {
        throw unsupported(["components", index], `The component ${input.type} in a modal`);
      }
      return {
        id: input.custom_id,
        label: row.label ?? input.label ?? input.custom_id,
        style: input.style === TextInputStyle.Paragraph ? "paragraph" : "short",
        required: input.required ?? true,
        min_length: input.min_length ?? null,
        max_length: input.max_length ?? null,
        value: input.value || null,
        placeholder: input.placeholder || null,
      };
    });
  });
  return { modal_id: storedModalId(custom_id, hasLabels), title, fields };
}
