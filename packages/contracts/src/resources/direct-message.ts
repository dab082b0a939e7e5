import { z } from "zod";
import { listedReactionsMax } from "../caps.js";
import { groupNameLengthMax, groupPeopleMax } from "../group-limits.js";
import { Attachment } from "./attachment.js";
import { timestamp, uuid, uuidExample } from "./identifiers.js";
import { authorField, forwardedKey, messageContentField, nonceField, ReactionCount, SentMessage } from "./message.js";
import { OtherUser } from "./user.js";

/** A direct-message channel as one participant sees it (docs/protocol/objects.md#4.17). */
export const DmChannel = z
  .object({ id: uuid, recipient: OtherUser, created_at: timestamp, last_message_at: timestamp.nullable() })
  .meta({ id: "DmChannel" });
export type DmChannel = z.infer<typeof DmChannel>;

/**
 * A group conversation as one of those in it sees it (docs/protocol/conversations.md#28.2). `recipient` is the first of `recipients`, for
 * clients that know channels of two only; oneself when nobody else is left.
 */
export const GroupChannel = z
  .object({
    id: uuid,
    type: z.literal("group"),
    recipient: OtherUser,
    recipients: z
      .array(OtherUser)
      .meta({ maxItems: groupPeopleMax - 1, description: "The others, in the order in which they came" }),
    name: z.string().nullable().meta({ maxLength: groupNameLengthMax, example: "Chess on Friday" }),
    owner_id: uuid,
    icon_url: z.string().nullable().meta({ example: null }),
    created_at: timestamp,
    last_message_at: timestamp.nullable(),
  })
  .meta({ id: "GroupChannel" });
export type GroupChannel = z.infer<typeof GroupChannel>;

/** An entry of lists with groups: only groups have `type`. */
export const AnyDmChannel = z.union([GroupChannel, DmChannel]).meta({ id: "AnyDmChannel" });
export type AnyDmChannel = z.infer<typeof AnyDmChannel>;

const message = {
  id: uuid,
  channel_id: uuid,
  author_id: uuid.nullable().meta({ example: uuidExample }),
  content: messageContentField,
  reply_to: uuid.optional().meta({ description: "Only on replies; the message may be deleted since" }),
  edited_at: timestamp.nullable(),
  created_at: timestamp,
  ...forwardedKey,
};

/**
 * A direct message (docs/protocol/objects.md#4.17), with the details that `include` names
 * (docs/protocol/conversations.md#8).
 */
export const DmMessage = z
  .object({
    ...message,
    reactions: z
      .array(ReactionCount)
      .optional()
      .meta({
        maxItems: listedReactionsMax,
        description: `With \`include=reactions\`; absent on a message with more than ${listedReactionsMax} different emoji`,
      }),
    attachments: z.array(Attachment).optional().meta({ maxItems: 10, description: "With `include=attachments`" }),
    author: authorField.optional().meta({ description: "With `include=author`; null when the account is gone" }),
  })
  .meta({ id: "DmMessage" });
export type DmMessage = z.infer<typeof DmMessage>;

/** A direct message as its author has it. */
export const SentDmMessage = z
  .object({
    ...message,
    attachments: z.array(Attachment).optional().meta({
      minItems: 1,
      maxItems: 10,
      description: "The files that were sent with it; absent when none were",
    }),
    ...nonceField,
  })
  .meta({ id: "SentDmMessage" });
export type SentDmMessage = z.infer<typeof SentDmMessage>;

/** A message of a channel or a direct message, as its author has it. */
export const AnySentMessage = z.union([SentMessage, SentDmMessage]).meta({ id: "AnySentMessage" });
export type AnySentMessage = z.infer<typeof AnySentMessage>;

/** Payload of DM_MESSAGE_CREATE (docs/protocol/events.md#23.4). */
export const NewDmMessage = SentDmMessage.extend({ author: authorField }).meta({ id: "NewDmMessage" });
export type NewDmMessage = z.infer<typeof NewDmMessage>;

/** Payload of DM_MESSAGE_UPDATE (docs/protocol/conversations.md#28.1). */
export const EditedDmMessage = z.object({ ...message, author: authorField }).meta({ id: "EditedDmMessage" });
export type EditedDmMessage = z.infer<typeof EditedDmMessage>;
