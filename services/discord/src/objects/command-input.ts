import { z } from "zod";
import { bitsInput } from "../rest/input.js";
import { isTextName } from "./command-names.js";

const localizations = z.record(z.string(), z.string()).nullish();
/** An option, a subcommand or a group of them. */
export interface OptionInput {
  readonly type: number;
  readonly name: string;
  readonly description: string;
  readonly required?: boolean | null | undefined;
  readonly choices?: readonly { name: string; value: string | number }[] | null | undefined;
  readonly options?: readonly OptionInput[] | null | undefined;
  readonly min_value?: number | null | undefined;
  readonly max_value?: number | null | undefined;
  readonly min_length?: number | null | undefined;
  readonly max_length?: number | null | undefined;
  readonly autocomplete?: boolean | null | undefined;
}
const optionInput: z.ZodType<OptionInput> = z.lazy(() =>
  // Localizations are kept with the command.
  z.looseObject({
    type: z.int().min(1).max(11),
    name: z.string().refine(isTextName, { message: "Option name is invalid", params: { code: "STRING_TYPE_REGEX" } }),
    description: z.string().min(1).max(100),
    required: z.boolean().nullish(),
    choices: z.array(z.looseObject({ name: z.string(), value: z.union([z.string(), z.number()]) })).nullish(),
    options: z.array(optionInput).max(25).nullish(),
    min_value: z.number().nullish(),
    max_value: z.number().nullish(),
    min_length: z.int().nullish(),
    max_length: z.int().nullish(),
    autocomplete: z.boolean().nullish(),
  }),
);

const commandFields = z.object({
  name: z.string().min(1).max(32),
  type: z.int().min(1).max(3).nullish(),
  description: z.string().max(100).nullish(),
  name_localizations: localizations,
  description_localizations: localizations,
  options: z.array(optionInput).max(25).nullish(),
  default_member_permissions: bitsInput.nullish(),
  contexts: z.array(z.int()).nullish(),
  integration_types: z.array(z.int()).nullish(),
  nsfw: z.boolean().nullish(),
  dm_permission: z.boolean().nullish(),
});
/** A command as bots register it. */
export const commandInput = commandFields.superRefine(({ name, type, description }, context) => {
  if ((type ?? 1) !== 1) return;
  const fault = (key: string, message: string, code: string) =>
    context.addIssue({ code: "custom", path: [key], message, params: { code } });
  if (!isTextName(name)) fault("name", "Command name is invalid", "APPLICATION_COMMAND_INVALID_NAME");
  if (!description) fault("description", "This field is required", "BASE_TYPE_REQUIRED");
});
export type CommandInput = z.output<typeof commandInput>;

/** A whole list of commands; each name of a type once. */
export const commandsInput = z
  .array(commandInput)
  .max(100)
  .superRefine((inputs, context) => {
    const keys = inputs.map(({ name, type }) => `${type ?? 1} ${name}`);
    const again = keys.findIndex((key, index) => keys.indexOf(key) < index);
    if (again === -1) return;
    const params = { code: "APPLICATION_COMMANDS_DUPLICATE_NAME" };
    context.addIssue({ code: "custom", path: [again], message: "Application command names must be unique", params });
  });
