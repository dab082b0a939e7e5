import { attachmentsMax, errorTexts, forbidden, invalidInput } from "@parley/contracts";
import { z } from "zod";
import { parseJson } from "../http/json-body.js";
import type { FilePart, MultipartForm } from "../http/multipart.js";
import { type FileTarget, isAttached, type ReceivedFile, receiveFile } from "./receive.js";

/** The form of a message with its files, for the API description; the bytes are judged as they arrive. */
export const messageForm = z.object({
  payload_json: z.string().optional().meta({
    description: "The body as JSON text, best before the files; `content` may be missing from it",
    example: '{"content":"Look at this"}',
  }),
  files: z
    .array(z.string().meta({ format: "binary" }))
    .min(1)
    .max(attachmentsMax)
    .meta({ description: "One part per file; `file` is accepted as the name, too" }),
});

/** Description of endpoints that take it. */
export const withFiles =
  "As multipart/form-data it takes the message together with 1 to 10 files, of the types that attaching accepts: all of " +
  "it is stored, or nothing. The answer and the event then have `attachments`.";

/** Files that arrived with their message, which has no id yet. They are stored and have no rows. */
export interface SentFiles {
  readonly received: ReceivedFile[];
  /** Why no message may be stored with them (docs/protocol/messages.md#7.6); null when one may. */
  rejection: unknown;
}

/** No files yet, of somebody who may attach them or not. */
export const noSentFiles = (mayAttach: boolean): SentFiles => ({
  received: [],
  rejection: mayAttach ? null : forbidden(errorTexts.attach_files_required),
});

/** Which parts of a form make a message. */
export interface MessageFormParts {
  /** Whether a part with a file is attached; all others are ignored. */
  isFile(part: FilePart): boolean;
  /** Names of the fields that are the message where `payload_json` is missing. */
  fields: readonly string[];
}

/** Parts of the form of a message by an account (docs/protocol/messages.md#7.6). */
export const ordinaryParts: MessageFormParts = { isFile: isAttached, fields: [] };

/**
 * Reads a form with a message. It notes faults of the files instead of throwing them, because faults of the message
 * come first (docs/protocol/messages.md#7.1): reading ends early only when the message is known.
 *
 * @param files filled as files are stored, so that after a failure the caller knows the files to discard
 * @returns what the field `payload_json` contains, or else the fields that replace it
 * @throws ServiceError 400 for a form that breaks off before that field, and for malformed JSON in it
 */
export async function readMessageForm(
  form: MultipartForm,
  files: SentFiles,
  { target, parts }: { target: FileTarget; parts: MessageFormParts },
): Promise<unknown> {
  let text: string | undefined;
  const fields = new Map<string, string>();

  const receive = async (part: FilePart) => {
    const { received } = files;
    try {
      if (files.rejection === null) received.push(await receiveFile(part, { ...target, existing: received.length }));
    } catch (error) {
      files.rejection = error;
    }
    if (files.rejection !== null && text !== undefined) throw files.rejection;
  };

  try {
    await form.read({
      onFile: async (part) => (parts.isFile(part) ? receive(part) : undefined),
      onField: (name, value) => {
        if (name === "payload_json") text ??= value;
        else if (parts.fields.includes(name)) fields.set(name, value);
      },
    });
    if (files.received.length === 0) files.rejection ??= invalidInput(errorTexts.files_required);
  } catch (error) {
    files.rejection ??= error;
    if (text === undefined) throw error;
  }
  return text === undefined ? Object.fromEntries(fields) : parseJson(text);
}
