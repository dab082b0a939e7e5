import { ComponentType, TextInputStyle } from "discord-api-types/v10";
import { z } from "zod";
import { unsupported } from "../rest/errors.js";
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

/** The modal as the api takes it. @throws DiscordError 50035 for fields that are no texts */
export function fromModal({ custom_id, title, components }: z.output<typeof modalInput>): object {
  const hasLabels = components.some(({ type }) => type === ComponentType.Label);
  const fields = components.flatMap((row, index) => {
    if (row.type === ComponentType.TextDisplay) return [];
    const inputs = row.component ? [row.component] : (row.components ?? []);
    return inputs.map((input) => {
      if (input.type !== ComponentType.TextInput) {
        throw unsupported(["data", "components", index], `The component ${input.type} in a modal`);
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
