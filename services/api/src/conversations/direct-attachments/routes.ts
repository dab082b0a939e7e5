import { Attachment, errorTexts } from "@parley/contracts";
import { z } from "zod";
import { fileRejections } from "../../platform/files/rejections.js";
import { uploadBytesMax } from "../../platform/files/upload-limits.js";
import { identifier } from "../../platform/http/input.js";
import { openMultipart } from "../../platform/http/multipart.js";
import { created, ok, type Route, route } from "../../platform/http/route.js";
import { uploadForm } from "../attachments/routes.js";
import type { DirectAttachments } from "./service.js";

const params = z.object({ id: identifier });
const path = "/dm-messages/:id/attachments";
const messageNotFound = [errorTexts.message_not_found];

export function directAttachmentRoutes(attachments: DirectAttachments): Route[] {
  return [
    route(
      {
        method: "post",
        path,
        name: "directMessages.attach",
        summary: "Attach files to a direct message",
        description: "The types are those of `POST /messages/{id}/attachments`. Either all files are attached or none.",
        caller: "account",
        causes: ["DM_ATTACHMENT_CREATE"],
        params,
        body: uploadForm,
        bodyContentType: "multipart/form-data",
        bodyBytes: { "multipart/form-data": uploadBytesMax },
        success: created(z.array(Attachment)),
        errors: {
          invalid_input: fileRejections,
          not_found: messageNotFound,
          forbidden: [errorTexts.attach_author_only, errorTexts.cannot_message_user],
        },
      },
      ({ identity, params, request }) =>
        attachments.upload(identity.userId, params.id, openMultipart(request, { bytesMax: uploadBytesMax })),
    ),
    route(
      {
        method: "get",
        path,
        name: "directMessages.attachments",
        summary: "List a direct message's attachments in the order of upload",
        caller: "account",
        params,
        success: ok(z.array(Attachment)),
        errors: { not_found: messageNotFound },
      },
      ({ identity, params }) => attachments.list(identity.userId, params.id),
    ),
  ];
}
