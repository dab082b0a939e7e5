import { z } from "zod";
import { timestamp, uuid } from "./identifiers.js";
import { messageContentField } from "./message.js";

/** A text that a user has begun to write in a channel, a direct message or a thread (docs/protocol/later.md#33.4). */
export const Draft = z
  .object({
    channel_id: uuid,
    thread_id: uuid.nullable().meta({ description: "Null for the channel itself" }),
    content: messageContentField,
    reply_to: uuid.nullable(),
    updated_at: timestamp,
  })
  .meta({ id: "Draft" });
export type Draft = z.infer<typeof Draft>;

/** The drafts of an account, the one changed last first. */
export const DraftList = z.object({ drafts: z.array(Draft) }).meta({ id: "DraftList" });
export type DraftList = z.infer<typeof DraftList>;
