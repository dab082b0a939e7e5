import {
  allPermissionBits,
  commandContexts,
  commandLimits,
  errorTexts,
  isUuid,
  listOf,
  mapOf,
  optionTypes,
  text,
  uuidInput,
} from "@parley/contracts";
import { z } from "zod";
import { namedFaults } from "../../platform/http/named-faults.js";

const name = z.string().regex(/^[a-z0-9_-]{1,32}$/, "must be 1-32 of a-z, 0-9, _ and -");
const description = text({
  min: 1,
  max: commandLimits.description,
  message: `must be 1-${commandLimits.description} characters`,
});
const bits = z.int().min(0).max(allPermissionBits);

const choice = z.object({
  name: text({ min: 1, max: commandLimits.choiceText, message: `must be 1-${commandLimits.choiceText} characters` }),
  value: z.union(
    [
      text({ min: 1, max: commandLimits.choiceText, message: `must be 1-${commandLimits.choiceText} characters` }),
      z.number(),
    ],
    "must be a text or a number",
  ),
});

const option = z
  .object({
    name,
    description,
    type: z.enum(optionTypes),
    required: z
      .boolean()
      .nullish()
      .transform((value) => value ?? false),
    choices: listOf(choice, { max: commandLimits.choices })
      .nullish()
      .transform((value) => value ?? null),
    min: z
      .number()
      .nullish()
      .transform((value) => value ?? null),
    max: z
      .number()
      .nullish()
      .transform((value) => value ?? null),
    autocomplete: z
      .boolean()
      .nullish()
      .transform((value) => value ?? false),
  })
  .superRefine(checkOption);
type Option = z.output<typeof option>;

/** Which properties fit the type of an option. */
function checkOption({ type, choices, min, max, autocomplete }: Option, context: z.RefinementCtx): void {
  const fault = (path: PropertyKey[], message: string) => context.addIssue({ code: "custom", path, message });
  const isNumber = type === "integer" || type === "number";
  const isText = type === "string";
  if (!isText && !isNumber) {
    const given = Object.entries({ choices, min, max }).find(([, value]) => value !== null);
    if (given !== undefined) fault([given[0]], `does not fit the type ${type}`);
    if (autocomplete) fault(["autocomplete"], `does not fit the type ${type}`);
    return;
  }
  if (choices !== null && autocomplete) fault(["autocomplete"], "does not go with choices");
  for (const [index, { value }] of (choices ?? []).entries()) {
    const fits = isText
      ? typeof value === "string"
      : typeof value === "number" && (type !== "integer" || Number.isSafeInteger(value));
    if (!fits) fault(["choices", index, "value"], `does not fit the type ${type}`);
  }
  if (isText) {
    for (const [key, bound] of Object.entries({ min, max })) {
      const isLength = bound === null || (Number.isInteger(bound) && bound >= 0 && bound <= commandLimits.text);
      if (!isLength) fault([key], `must be a length between 0 and ${commandLimits.text}`);
    }
  }
  if (min !== null && max !== null && min > max) fault(["max"], "must be min or more");
}

/** Index and text of the first name that came before. */
function repeated(names: readonly string[]): number {
  return names.findIndex((each, index) => names.indexOf(each) < index);
}

const options = listOf(option, { max: commandLimits.options }).superRefine((listed, context) => {
  const again = repeated(listed.map((each) => each.name));
  if (again !== -1) context.addIssue({ code: "custom", path: [again, "name"], message: "must be unique" });
  const late = listed.findIndex((each, index) => each.required && listed[index - 1]?.required === false);
  if (late !== -1)
    context.addIssue({ code: "custom", path: [late, "required"], message: "required options come first" });
});

/** An escape of JSON for a character that PostgreSQL cannot store. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;
const isStorable = (form: object) => !unstorable.test(JSON.stringify(form));
const isSmall = (form: object) => Buffer.byteLength(JSON.stringify(form)) <= commandLimits.formBytes;

const command = z
  .object({
    name,
    description,
    context: z
      .enum(commandContexts)
      .nullish()
      .transform((value) => value ?? "server"),
    options: options.nullish().transform((value) => value ?? []),
    default_permissions: bits.nullish().transform((value) => value ?? null),
    server_ids: listOf(uuidInput("must be an id"), { max: commandLimits.servers })
      .nullish()
      .transform((value) => value ?? null),
    form: mapOf(z.string(), z.unknown(), { max: commandLimits.formKeys, error: () => "must be an object" })
      .refine(isSmall, `must be at most ${commandLimits.formBytes} bytes of JSON`)
      .refine(isStorable, "has characters that cannot be stored")
      .nullish()
      .transform((value) => value ?? null),
    former_name: name
      .nullish()
      .transform((value) => value ?? null)
      .meta({ description: "Keeps the id of the command of this name, which the list no longer has" }),
  })
  .superRefine(({ context: where, options: listed }, context) => {
    if (where !== "server" && listed.length > 0)
      context.addIssue({ code: "custom", path: ["options"], message: "are of commands with the context server" });
  });
export type CommandInput = z.output<typeof command>;

const commands = listOf(command, { max: commandLimits.commands }).superRefine((listed, context) => {
  const again = repeated(listed.map((each) => `${each.context} ${each.name}`));
  if (again !== -1)
    context.addIssue({ code: "custom", path: [again, "name"], message: "must be unique in its context" });
});

/** A fault is named by its path (docs/protocol/apps.md#25.2). */
export const putCommandsBody = z.object({ commands: namedFaults("commands", commands) });
/** The same for the API description. */
export const describedCommandsBody = z.object({ commands });

/** A place in the bots of a channel, by name; it outlives the bot at it. */
export interface BotPosition {
  name: string;
  botId: string;
}

/** Where a page of the bots of a channel begins: the place of a bot by name and id. */
export const listCommandsQuery = z.object({
  position: z
    .string(errorTexts.member_list_position_invalid)
    .transform((value, context): BotPosition => {
      const [botId, ...name] = Buffer.from(value, "base64url").toString().split(" ");
      if (isUuid(botId)) return { name: name.join(" "), botId };
      context.addIssue({ code: "custom", message: errorTexts.member_list_position_invalid });
      return z.NEVER;
    })
    .optional()
    .meta({ type: "string", description: "`next_position` of the page before" }),
});

/** A position as {@link listCommandsQuery} reads it. */
export const positionText = ({ name, botId }: BotPosition): string =>
  Buffer.from(`${botId} ${name}`).toString("base64url");
