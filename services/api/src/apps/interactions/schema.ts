import {
  ComponentRowsInput,
  commandLimits,
  componentList,
  EmbedInput,
  embedLimits,
  embedList,
  errorTexts,
  isBlank,
  listOf,
  mapOf,
  modalFieldStyles,
  modalLimits,
  text,
  uuidInput,
} from "@parley/contracts";
import { z } from "zod";
import { hasAppParts } from "../../conversations/messages/embeds.js";
import { namedFaults } from "../../platform/http/named-faults.js";

const message = errorTexts.interaction_invalid;
/** Values of a request; those that the command, the component or the modal does not take are named one by one. */
const valuesMax = 100;
/** Values by names; a command has more of them than a modal. */
const values = mapOf(z.string(), z.unknown(), { max: valuesMax, error: () => message });

const command = z.object({
  bot_user_id: uuidInput(message),
  command_id: uuidInput(message),
  options: values.nullish().transform((given) => given ?? {}),
  target_id: uuidInput(message)
    .nullish()
    .transform((id) => id ?? null),
  focused: z
    .string(errorTexts.focused_invalid)
    .nullish()
    .transform((name) => name ?? null),
  autocomplete: z
    .boolean(message)
    .nullish()
    .transform((asked) => asked ?? false),
});
export type InvokeCommand = z.output<typeof command>;

const modal = z.object({
  interaction_id: uuidInput(message),
  modal_id: z.string(message),
  fields: values,
});
export type SubmitModal = z.output<typeof modal>;

const component = z.object({
  message_id: uuidInput(message),
  custom_id: z.string(message),
  values: z
    .array(z.unknown().meta({ type: "string" }), message)
    .max(valuesMax, message)
    .nullish()
    .transform((given) => given ?? []),
});
export type PressComponent = z.output<typeof component>;

/** One of the three: a modal is recognised by `modal_id`, a component by `custom_id`. */
export const invokeBody = z.union([modal, component, command], message);

const between = (min: number, max: number) => text({ min, max, message: `must be ${min}-${max} characters` });
const orNull = <S extends z.ZodType>(schema: S) => schema.nullish().transform((value) => value ?? null);
const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false);

/** The content of a message as 7.1 has it, which may be missing beside embeds and components. */
const content = text({ min: 0, max: 4_000, message: "must be 1-4000 characters" });
const messageData = z
  .object({
    content: content.default(""),
    embeds: embedList.nullish(),
    components: componentList.nullish(),
    ephemeral: flag,
  })
  .superRefine((data, context) => {
    if (isBlank(data.content) && !hasAppParts(data))
      context.addIssue({ code: "custom", path: ["content"], message: "must be 1-4000 characters" });
  });
/** The same for the API description. */
const describedMessageData = z.object({
  content: content.default(""),
  embeds: z.array(EmbedInput).max(embedLimits.embeds).nullish(),
  components: ComponentRowsInput.nullish(),
  ephemeral: flag,
});
export type MessageData = z.output<typeof messageData>;

/** Absent parts stay as they are. */
const updateData = z
  .object({ content: content.optional(), embeds: embedList.nullish(), components: componentList.nullish() })
  .superRefine(({ content, embeds, components }, context) => {
    if (embeds === undefined && components === undefined && isBlank(content ?? ""))
      context.addIssue({ code: "custom", path: ["content"], message: "must be 1-4000 characters" });
  });
const describedUpdateData = describedMessageData.omit({ ephemeral: true }).extend({ content: content.optional() });
export type UpdateData = z.output<typeof updateData>;

const field = z.object({
  id: between(1, modalLimits.id),
  label: between(1, modalLimits.label),
  style: z.enum(modalFieldStyles),
  required: z
    .boolean()
    .nullish()
    .transform((value) => value ?? true),
  min_length: orNull(z.int().min(0).max(modalLimits.text)),
  max_length: orNull(z.int().min(1).max(modalLimits.text)),
  value: orNull(between(0, modalLimits.text)),
  placeholder: orNull(between(0, modalLimits.placeholder)),
});

const fields = listOf(field, { min: 1, max: modalLimits.fields }).superRefine((listed, context) => {
  const ids = listed.map(({ id }) => id);
  const again = ids.findIndex((id, index) => ids.indexOf(id) < index);
  if (again !== -1) context.addIssue({ code: "custom", path: [again, "id"], message: "must be unique" });
});
const modalData = z.object({ modal_id: between(1, modalLimits.id), title: between(1, modalLimits.title), fields });

const choices = listOf(
  z.object({
    name: between(1, commandLimits.choiceText),
    value: z.union([between(1, commandLimits.choiceText), z.number()], "must be a text or a number"),
  }),
  { max: commandLimits.choices },
);

const followUp = z
  .boolean(errorTexts.follow_up_not_boolean)
  .nullish()
  .transform((value) => value ?? false);

const answers = <
  Message extends z.ZodType,
  Deferred extends z.ZodType,
  Update extends z.ZodType,
  Acknowledge extends z.ZodType,
  Form extends z.ZodType,
  Choices extends z.ZodType,
>(data: {
  message: Message;
  deferred: Deferred;
  update: Update;
  acknowledge: Acknowledge;
  modal: Form;
  choices: Choices;
}) =>
  z.discriminatedUnion(
    "type",
    [
      z.object({ type: z.literal("message"), data: data.message, follow_up: followUp }),
      z.object({ type: z.literal("deferred"), data: data.deferred, follow_up: followUp }),
      z.object({ type: z.literal("update"), data: data.update, follow_up: followUp }),
      z.object({ type: z.literal("acknowledge"), data: data.acknowledge, follow_up: followUp }),
      z.object({ type: z.literal("modal"), data: data.modal, follow_up: followUp }),
      z.object({ type: z.literal("choices"), data: data.choices, follow_up: followUp }),
    ],
    errorTexts.answer_type_invalid,
  );

const deferredData = z
  .object({ ephemeral: flag })
  .nullish()
  .transform((value) => value ?? { ephemeral: false });

export const answerBody = answers({
  message: namedFaults("data", messageData),
  deferred: namedFaults("data", deferredData)
    .optional()
    .transform((value) => value ?? { ephemeral: false }),
  update: namedFaults("data", updateData),
  acknowledge: namedFaults("data", updateData.nullish())
    .optional()
    .transform((value) => value ?? null),
  modal: namedFaults("data", modalData),
  choices: namedFaults("data", choices),
});
export type Answer = z.output<typeof answerBody>;
/** The same for the API description. */
export const describedAnswerBody = answers({
  message: describedMessageData,
  deferred: deferredData,
  update: describedUpdateData,
  acknowledge: describedUpdateData.nullish(),
  modal: modalData,
  choices,
});

/** Which answer is changed: the first one, or the latest. */
export const answerQuery = z.object({
  original: z
    .string()
    .optional()
    .transform((value) => value === "true")
    .meta({ type: "boolean", description: "Whether the first answer is meant" }),
});
export type WhichAnswer = z.output<typeof answerQuery>;
