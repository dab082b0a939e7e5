import { z } from "zod";
import { DmMessage } from "./direct-message.js";
import { timestamp, uuid } from "./identifiers.js";
import { DetailedMessage } from "./message.js";

/** A message of a channel, with `server_id`; or a direct message. Both have `author` and `attachments`. */
export const AnyMessage = z.union([DetailedMessage, DmMessage]).meta({ id: "AnyMessage" });
export type AnyMessage = z.infer<typeof AnyMessage>;

/** Code points of the note of a saved message, at most. */
export const saveNoteLengthMax = 500;

const kept = {
  saved_at: timestamp,
  note: z.string().nullable().meta({ minLength: 1, maxLength: saveNoteLengthMax, example: "The address of the hall" }),
};

/** The messages that an account keeps (docs/protocol/later.md#33.4), the one saved last first. */
export const SavedPage = z
  .object({ saved: z.array(z.object({ message: AnyMessage, ...kept })) })
  .meta({ id: "SavedPage" });
export type SavedPage = z.infer<typeof SavedPage>;

/** Payload of SAVED_UPDATE. */
export const SavedChange = z.object({ message_id: uuid, saved: z.object(kept).nullable() });
