import { Attachment, errorTexts } from "@parley/contracts";
import { z } from "zod";
import { author } from "../../access/needs.js";
import { fileRejections } from "../../platform/files/rejections.js";
import { uploadBytesMax } from "../../platform/files/upload-limits.js";
import { created, ok, type Route, route } from "../../platform/http/route.js";
import { eventOf, type Kind, type MessageAccess } from "../core/kind.js";
import { toMessage } from "../core/may.js";
import type { AttachmentService } from "./service.js";

const file = z.string().meta({ format: "binary" });

/** The form of an upload, for the API description; the bytes are judged as they arrive. */
const uploadForm = z.object({
  files: z.array(file).meta({ description: "One part per file; `file` is accepted as the name, too" }),
});

const names = {
  channel: { upload: "attachments.upload", list: "attachments.list", thing: "message" },
  direct: { upload: "directMessages.attach", list: "directMessages.attachments", thing: "direct message" },
} as const;
const types = {
  channel:
    "The type of a file is decided by its bytes: JPEG, PNG, GIF, WebP, MP4, WebM, MP3, Ogg, PDF and plain text are accepted.",
  direct: "The types are those of `POST /messages/{id}/attachments`.",
};

export function attachmentRoutes<F extends MessageAccess>(kind: Kind<F>, attachments: AttachmentService<F>): Route[] {
  const { attachments: message } = kind.paths;
  const { params } = message;
  const path = `${message.path}/attachments`;
  const { upload, list, thing } = names[kind.name];
  return [
    route(
      {
        method: "post",
        path,
        name: upload,
        summary: `Attach files to a ${thing}`,
        description: `${types[kind.name]} Either all files are attached or none.`,
        caller: "account",
        causes: [eventOf(kind, "ATTACHMENT_CREATE")],
        params,
        may: toMessage(kind, message, {
          needs: [author(errorTexts.attach_author_only), ...kind.attaching.needs],
          writes: true,
        }),
        body: uploadForm,
        bodyContentType: "multipart/form-data",
        bodyBytes: { "multipart/form-data": uploadBytesMax },
        success: created(z.array(Attachment)),
        errors: { invalid_input: fileRejections, forbidden: kind.attaching.refusals },
      },
      ({ may, request }) => attachments.upload(may, request),
    ),
    route(
      {
        method: "get",
        path,
        name: list,
        summary: `List a ${thing}'s attachments in the order of upload`,
        caller: "account",
        params,
        may: toMessage(kind, message),
        success: ok(z.array(Attachment)),
      },
      async ({ may }) => attachments.list(await may.access()),
    ),
  ];
}
