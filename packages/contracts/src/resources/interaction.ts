import { z } from "zod";
import { commandContexts, interactionTypes, modalFieldStyles, modalLimits } from "../app-kinds.js";
import { CommandChoice } from "./command.js";
import { uuid } from "./identifiers.js";
import { Message } from "./message.js";
import { permissionField } from "./role.js";
import { Member } from "./server.js";
import { PublicProfile } from "./user.js";

const optionValue = z.union([z.string(), z.number(), z.boolean()]).meta({ example: 3 });

/**
 * The user's action: a command, a component that they pressed, or a modal that they filled in (docs/protocol/apps.md#25.3).
 */
export const InteractionData = z.union([
  z.object({
    command_id: uuid,
    name: z.string().meta({ example: "play" }),
    context: z.enum(commandContexts),
    options: z.record(z.string(), optionValue).meta({ description: "Values by the names of options" }),
    target_id: uuid.nullable().meta({ description: "The message or user that the command is about" }),
    focused: z.string().nullable().meta({ description: "The option that is completed, of an autocompletion" }),
  }),
  z.object({
    custom_id: z.string().meta({ example: "approve" }),
    values: z.array(z.string()).meta({ description: "What was selected; empty for a button" }),
  }),
  z.object({
    modal_id: z.string().meta({ example: "report" }),
    fields: z.record(z.string(), z.string()).meta({ description: "Texts by the ids of fields" }),
  }),
]);
export type InteractionData = z.infer<typeof InteractionData>;

/** A message that answers an interaction; an ephemeral one is stored nowhere else. */
export const InteractionMessage = Message.extend({
  ephemeral: z.literal(true).optional().meta({ description: "On messages for the invoker alone" }),
}).meta({ id: "InteractionMessage" });
export type InteractionMessage = z.infer<typeof InteractionMessage>;

/** The interaction as its bot gets it (docs/protocol/apps.md#25.3). */
export const NewInteraction = z
  .object({
    id: uuid,
    token: z.string().meta({ description: "For the answer", example: "4f".repeat(32) }),
    type: z.enum(interactionTypes),
    server_id: uuid,
    channel_id: uuid,
    user: PublicProfile,
    member: Member,
    permissions: permissionField,
    locale: z.string().nullable().meta({ description: "The language that the invoker asked for", example: "de" }),
    data: InteractionData,
    message: InteractionMessage.nullable().meta({ description: "The message that it is about" }),
  })
  .meta({ id: "NewInteraction" });
export type NewInteraction = z.infer<typeof NewInteraction>;

/** A form that the invoker is asked to fill in (docs/protocol/apps.md#25.3). */
export const Modal = z
  .object({
    modal_id: z.string().meta({ minLength: 1, maxLength: modalLimits.id, example: "report" }),
    title: z.string().meta({ minLength: 1, maxLength: modalLimits.title, example: "Report a game" }),
    fields: z
      .array(
        z.object({
          id: z.string().meta({ minLength: 1, maxLength: modalLimits.id, example: "why" }),
          label: z.string().meta({ minLength: 1, maxLength: modalLimits.label, example: "Why?" }),
          style: z.enum(modalFieldStyles),
          required: z.boolean(),
          min_length: z.int().nullable(),
          max_length: z.int().nullable(),
          value: z.string().nullable().meta({ description: "What the field begins with" }),
          placeholder: z.string().nullable(),
        }),
      )
      .meta({ minItems: 1, maxItems: modalLimits.fields }),
  })
  .meta({ id: "Modal" });
export type Modal = z.infer<typeof Modal>;

/** The state of an interaction, as its invoker gets it (docs/protocol/apps.md#25.3). */
export const InteractionState = z
  .object({
    id: uuid,
    state: z.enum(["pending", "deferred", "answered", "failed"]),
    message: InteractionMessage.nullable().meta({ description: "The latest answer" }),
    modal: Modal.nullable(),
    choices: z.array(CommandChoice).nullable(),
  })
  .meta({ id: "InteractionState" });
export type InteractionState = z.infer<typeof InteractionState>;
