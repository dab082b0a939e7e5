import type { FileUrls } from "@parley/auth";
import { ErrorBody, errorTexts, notFound, ServiceError } from "@parley/contracts";
import contentDisposition from "content-disposition";
import type { Request } from "express";
import { z } from "zod";
import { isShownInPlace } from "../../platform/files/inspect.js";
import { sendStored } from "../../platform/files/send-stored.js";
import type { FileStorage } from "../../platform/files/storage/storage.js";
import { type Route, type RouteInput, route } from "../../platform/http/route.js";
import type { AttachedFile, FileService } from "./file-service.js";

// 401 and 403 take precedence over errors in the address, so the handler validates it after the access check.
const params = z.object({ message_id: z.string(), name: z.string() });
const query = z.object({
  exp: z.string().optional().catch(undefined),
  sig: z.string().optional().catch(undefined),
  thumbnail: z
    .literal("true")
    .optional()
    .catch(undefined)
    .meta({ description: "The thumbnail, as in `thumbnail_url`" }),
});
const bytes = z.string().meta({ format: "binary" });

export function fileRoutes(files: FileService, urls: FileUrls, storage: FileStorage): Route[] {
  const isSigned = (request: Request) => {
    const { message_id, name: stored_name } = params.parse(request.params);
    return urls.verify({ message_id, stored_name }, query.parse(request.query));
  };
  return [
    route(
      {
        method: "get",
        path: "/files/:message_id/:name",
        name: "attachments.read",
        summary: "Read an attachment",
        description:
          "Needs the Authorization of a member who may view the channel, or a valid signature as in an attachment's `url`. " +
          "An Authorization header that is present decides alone.",
        caller: "anyone",
        unlimited: isSigned,
        attempts: { sig: "unguessable" },
        params,
        may: files.may,
        query,
        success: { status: 200, description: "The file", schema: bytes, contentType: "*/*" },
        otherAnswers: [
          { status: 206, description: "The part that the Range header asks for", schema: bytes, contentType: "*/*" },
          { status: 416, description: `\`${errorTexts.range_not_satisfiable}\``, schema: ErrorBody },
        ],
        errors: {
          invalid_input: [errorTexts.invalid_identifier],
          unauthenticated: [errorTexts.invalid_token, errorTexts.invalid_bot_token],
        },
      },
      async (input) => {
        const { request, response } = input;
        const found = await findFile(files, input);
        const file = input.query.thumbnail === undefined ? found : found.thumbnail;
        if (file === null) throw notFound(errorTexts.attachment_not_found);
        await sendStored(
          { request, response, storage },
          {
            file,
            headers: {
              "Content-Disposition": contentDisposition(found.filename, {
                type: isShownInPlace(file.mimeType) ? "inline" : "attachment",
              }),
              "Cache-Control": "private, max-age=3600",
              "Content-Security-Policy": "sandbox",
            },
            missing: errorTexts.attachment_not_found,
          },
        );
        return "";
      },
    ),
  ];
}

/** An Authorization header that is present decides alone, valid or not (docs/protocol/messages.md#7.6). */
async function findFile(
  files: FileService,
  input: RouteInput<z.output<typeof params>, z.output<typeof query>, undefined, { access(): Promise<AttachedFile> }>,
): Promise<AttachedFile> {
  const { request, state, params, query } = input;
  if (request.headers.authorization === undefined)
    return files.findForHolder({ message_id: params.message_id, stored_name: params.name }, query);
  if (state.identity === null) throw new ServiceError("unauthenticated", state.rejection);
  return input.may.access();
}
