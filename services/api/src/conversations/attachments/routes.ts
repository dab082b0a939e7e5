import { Attachment, errorTexts } from "@parley/contracts";
import { z } from "zod";
import { fileRejections } from "../../platform/files/rejections.js";
import { uploadBytesMax } from "../../platform/files/upload-limits.js";
import { openMultipart } from "../../platform/http/multipart.js";
import { created, ok, type Route, route } from "../../platform/http/route.js";
import { eventOf, type Found, type Kind } from "../core/kind.js";
import type { AttachmentService } from "./service.js";

const file = z.string().meta({ format: "binary" });

/** The form of an upload, for the API description; the bytes are judged as they arrive. */
const uploadForm = z.object({
  files: z.array(file).meta({ description: "One part per file; `file` is accepted as the name, too" }),
});

const names = {
  channel: { upload: "attachments.upload", list: "attachments.list", message: "message" },
  direct: { upload: "directMessages.attach", list: "directMessages.attachments", message: "direct message" },
} as const;
const types = {
  channel:
    "The type of a file is decided by its bytes: JPEG, PNG, GIF, WebP, MP4, WebM, MP3, Ogg, PDF and plain text are accepted.",
  direct: "The types are those of `POST /messages/{id}/attachments`.",
};

export function attachmentRoutes<F extends Found>(kind: Kind<F>, attachments: AttachmentService): Route[] {
  const { path: messagePath, params, missing } = kind.paths.attachments;
  const path = `${messagePath}/attachments`;
  const { upload, list, message } = names[kind.name];
  return [
    route(
      {
        method: "post",
        path,
        name: upload,
        summary: `Attach files to a ${message}`,
        description: `${types[kind.name]} Either all files are attached or none.`,
        caller: "account",
        causes: [eventOf(kind, "ATTACHMENT_CREATE")],
        params,
        body: uploadForm,
        bodyContentType: "multipart/form-data",
        bodyBytes: { "multipart/form-data": uploadBytesMax },
        success: created(z.array(Attachment)),
        errors: {
          invalid_input: fileRejections,
          not_found: missing,
          forbidden: [...kind.hidden, errorTexts.attach_author_only, ...kind.attaching.forbidden],
        },
      },
      ({ identity, params, request }) =>
        attachments.upload(identity.userId, params, openMultipart(request, { bytesMax: uploadBytesMax })),
    ),
    route(
      {
        method: "get",
        path,
        name: list,
        summary: `List a ${message}'s attachments in the order of upload`,
        caller: "account",
        params,
        success: ok(z.array(Attachment)),
        errors: { not_found: missing, forbidden: kind.hidden },
      },
      ({ identity, params }) => attachments.list(identity.userId, params),
    ),
  ];
}
