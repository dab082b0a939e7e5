import { z } from "zod";

export const buttonStyles = ["primary", "secondary", "success", "danger", "link"] as const;
export const selectKinds = ["text", "user", "role", "channel"] as const;

/** Bounds of a message's components; texts in code points (docs/protocol/apps.md#25.4). */
export const componentLimits = {
  rows: 5,
  buttons: 5,
  label: 80,
  customId: 100,
  options: 25,
  optionText: 100,
  placeholder: 150,
  values: 25,
} as const;

const customId = z.string().meta({ minLength: 1, maxLength: componentLimits.customId, example: "approve" });

/** A button of a message: a link has `url`, every other one `custom_id`. */
export const ButtonComponent = z
  .object({
    type: z.literal("button"),
    style: z.enum(buttonStyles),
    label: z.string().meta({ minLength: 1, maxLength: componentLimits.label, example: "Approve" }),
    custom_id: customId.nullable(),
    url: z.string().nullable().meta({ maxLength: 2048, example: "https://example.com/builds/412" }),
    disabled: z.boolean(),
  })
  .meta({ id: "ButtonComponent" });
export type ButtonComponent = z.infer<typeof ButtonComponent>;

/** A choice of a message: of texts, or of members, roles or channels of the server. */
export const SelectComponent = z
  .object({
    type: z.literal("select"),
    kind: z.enum(selectKinds),
    custom_id: customId,
    options: z
      .array(
        z.object({
          label: z.string().meta({ minLength: 1, maxLength: componentLimits.optionText, example: "Staging" }),
          value: z.string().meta({ minLength: 1, maxLength: componentLimits.optionText, example: "staging" }),
          description: z.string().nullable().meta({ maxLength: componentLimits.optionText }),
        }),
      )
      .nullable()
      .meta({ minItems: 1, maxItems: componentLimits.options, description: "Null unless `kind` is text" }),
    min_values: z.int().meta({ minimum: 0, maximum: componentLimits.values, example: 1 }),
    max_values: z.int().meta({ minimum: 1, maximum: componentLimits.values, example: 1 }),
    placeholder: z.string().nullable().meta({ maxLength: componentLimits.placeholder, example: "Where to?" }),
  })
  .meta({ id: "SelectComponent" });
export type SelectComponent = z.infer<typeof SelectComponent>;

/** The components of a message in rows: of 1 to 5 buttons, or of one select (docs/protocol/apps.md#25.4). */
export const componentRows = z
  .array(
    z
      .array(z.union([ButtonComponent, SelectComponent]))
      .min(1)
      .max(componentLimits.buttons),
  )
  .max(componentLimits.rows);
export type ComponentRows = z.infer<typeof componentRows>;

/** The texts of components that people read, for auto-moderation and search. */
export function textsOfComponents(rows: ComponentRows): string[] {
  return rows.flat().flatMap((component) => {
    if (component.type === "button") return [component.label];
    const options = component.options ?? [];
    const texts = [component.placeholder, ...options.flatMap(({ label, description }) => [label, description])];
    return texts.filter((text) => text !== null);
  });
}
