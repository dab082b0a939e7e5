import { Attachment, errorTexts } from "@parley/contracts";
import { z } from "zod";
import { writingErrors } from "../../access/safety.js";
import { fileRejections } from "../../platform/files/rejections.js";
import { uploadBytesMax } from "../../platform/files/upload-limits.js";
import { identifier } from "../../platform/http/input.js";
import { openMultipart } from "../../platform/http/multipart.js";
import { created, ok, type Route, route } from "../../platform/http/route.js";
import type { AttachmentService } from "./service.js";

const file = z.string().meta({ format: "binary" });

/** The form of an upload, for the API description; the bytes are judged as they arrive. */
export const uploadForm = z.object({
  files: z.array(file).meta({ description: "One part per file; `file` is accepted as the name, too" }),
});

const params = z.object({ message_id: identifier });
const path = "/messages/:message_id/attachments";
const messageNotFound = [errorTexts.message_not_found];

export function attachmentRoutes(attachments: AttachmentService): Route[] {
  return [
    route(
      {
        method: "post",
        path,
        name: "attachments.upload",
        summary: "Attach files to a message",
        description:
          "The type of a file is decided by its bytes: JPEG, PNG, GIF, WebP, MP4, WebM, MP3, Ogg, PDF and plain text " +
          "are accepted. Either all files are attached or none.",
        caller: "account",
        causes: ["ATTACHMENT_CREATE"],
        params,
        body: uploadForm,
        bodyContentType: "multipart/form-data",
        bodyBytes: { "multipart/form-data": uploadBytesMax },
        success: created(z.array(Attachment)),
        errors: {
          invalid_input: fileRejections,
          not_found: messageNotFound,
          forbidden: [
            errorTexts.view_channel_required,
            errorTexts.attach_author_only,
            errorTexts.attach_files_required,
            ...writingErrors,
            errorTexts.message_blocked_by_rule,
          ],
        },
      },
      ({ identity, params, request }) =>
        attachments.upload(identity.userId, params.message_id, openMultipart(request, { bytesMax: uploadBytesMax })),
    ),
    route(
      {
        method: "get",
        path,
        name: "attachments.list",
        summary: "List a message's attachments in the order of upload",
        caller: "account",
        params,
        success: ok(z.array(Attachment)),
        errors: { not_found: messageNotFound, forbidden: [errorTexts.view_channel_required] },
      },
      ({ identity, params }) => attachments.list(identity.userId, params.message_id),
    ),
  ];
}
