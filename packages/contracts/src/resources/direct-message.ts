import { z } from "zod";
import { timestamp, uuid, uuidExample } from "./identifiers.js";
import { authorField, messageContentField, nonceField } from "./message.js";
import { OtherUser } from "./user.js";

/** A direct-message channel as one participant sees it (docs/interface.md#4.17). */
export const DmChannel = z
  .object({ id: uuid, recipient: OtherUser, created_at: timestamp, last_message_at: timestamp.nullable() })
  .meta({ id: "DmChannel" });
export type DmChannel = z.infer<typeof DmChannel>;

/** A direct message (docs/interface.md#4.17), with what `include` names (docs/interface.md#8). */
export const DmMessage = z
  .object({
    id: uuid,
    channel_id: uuid,
    author_id: uuid.nullable().meta({ example: uuidExample }),
    content: messageContentField,
    edited_at: timestamp.nullable(),
    created_at: timestamp,
    author: authorField.optional().meta({ description: "With `include=author`; null when the account is gone" }),
  })
  .meta({ id: "DmMessage" });
export type DmMessage = z.infer<typeof DmMessage>;

/** A direct message as its author has it. */
export const SentDmMessage = DmMessage.omit({ author: true }).extend(nonceField).meta({ id: "SentDmMessage" });
export type SentDmMessage = z.infer<typeof SentDmMessage>;

/** What DM_MESSAGE_CREATE carries (docs/interface.md#23.4). */
export const NewDmMessage = SentDmMessage.extend({ author: authorField }).meta({ id: "NewDmMessage" });
export type NewDmMessage = z.infer<typeof NewDmMessage>;
