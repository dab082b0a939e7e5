import { errorTexts } from "@parley/contracts";
import { allowSlowBody } from "@parley/service-runtime";
import { z } from "zod";
import { identifier } from "../../platform/http/input.js";
import { openMultipart } from "../../platform/http/multipart.js";
import { none, ok, type Route, route } from "../../platform/http/route.js";
import { partBytesMax } from "./core/parts.js";
import { beginBody, Import, ImportList, startBody } from "./core/schema.js";
import type { ImportService } from "./service.js";

const params = z.object({ id: identifier });
const partParams = params.extend({
  number: z
    .string()
    .regex(/^\d{1,6}$/, errorTexts.import_part_number)
    .transform(Number)
    .pipe(z.int().max(100_000, errorTexts.import_part_number))
    .meta({ type: "integer", minimum: 0 }),
});
/** The largest form: the archive, and less than two megabytes beside it. */
const formBytesOf = (archiveBytes: number) => Math.ceil(archiveBytes / 2 ** 20 + 1) * 2 ** 20;

const archiveForm = z.object({
  archive: z.string().meta({ format: "binary" }),
  source: z.string().optional(),
});
const accepted = { ...ok(Import), status: 202, description: "Accepted" } as const;
const noEvents = none("the page of imports reads them again while one is under way");
const notFound = [errorTexts.import_not_found];

export function importRoutes(imports: ImportService, bytesMax: number): Route[] {
  const change = (name: "pause" | "resume", summary: string, run: (adminId: string, id: string) => Promise<Import>) =>
    route(
      {
        method: "post",
        path: `/admin/imports/:id/${name}`,
        name: `admin.${name}Import`,
        tag: "administration",
        summary,
        caller: "admin",
        causes: noEvents,
        params,
        success: accepted,
        errors: {
          invalid_input: [errorTexts.import_not_ready],
          not_found: notFound,
          ...(name === "resume" ? { conflict: [errorTexts.import_running] } : {}),
        },
      },
      ({ identity, params }) => run(identity.userId, params.id),
    );
  return [
    route(
      {
        method: "get",
        path: "/admin/imports",
        name: "admin.imports",
        tag: "administration",
        summary: "List the imports, newest first",
        caller: "admin",
        success: ok(ImportList),
      },
      async () => ({ imports: await imports.list() }),
    ),
    route(
      {
        method: "post",
        path: "/admin/imports",
        name: "admin.beginImport",
        tag: "administration",
        summary: "Upload an archive of another service",
        description:
          "As a form with the archive, or as JSON with its size; its pieces of at most 32 MB follow by PUT, in any order and again " +
          "after a cut. The archive is read after that: its report says what would come.",
        caller: "admin",
        causes: noEvents,
        body: beginBody,
        form: archiveForm,
        bodyBytes: { "multipart/form-data": formBytesOf(bytesMax) },
        success: accepted,
        errors: {
          invalid_input: [
            errorTexts.import_size_invalid,
            errorTexts.import_source_invalid,
            errorTexts.import_archive_size,
            errorTexts.import_archive_required,
            errorTexts.import_format_unknown,
            errorTexts.invalid_multipart,
            errorTexts.storage_quota_exceeded,
          ],
          conflict: [errorTexts.import_running],
        },
      },
      ({ identity, body }) => imports.begin(identity.userId, body),
      ({ identity, request }) =>
        imports.upload(identity.userId, openMultipart(request, { bytesMax: formBytesOf(bytesMax) })),
    ),
    route(
      {
        method: "get",
        path: "/admin/imports/:id",
        name: "admin.readImport",
        tag: "administration",
        summary: "Read an import",
        caller: "admin",
        params,
        success: ok(Import),
        errors: { not_found: notFound },
      },
      ({ params }) => imports.get(params.id),
    ),
    route(
      {
        method: "put",
        path: "/admin/imports/:id/parts/:number",
        name: "admin.uploadImportPart",
        tag: "administration",
        summary: "Upload a piece of an archive",
        description: "A piece that is sent again replaces the former one. The pieces count from 1.",
        caller: "admin",
        causes: noEvents,
        params: partParams,
        body: z.string().meta({ format: "binary" }),
        bodyContentType: "application/octet-stream",
        form: z.object({ part: z.string().meta({ format: "binary" }) }),
        bodyBytes: { "application/octet-stream": partBytesMax, "multipart/form-data": formBytesOf(partBytesMax) },
        success: accepted,
        errors: {
          invalid_input: [
            errorTexts.import_part_number,
            errorTexts.import_part_size,
            errorTexts.import_not_ready,
            errorTexts.invalid_multipart,
            errorTexts.storage_quota_exceeded,
          ],
          not_found: notFound,
        },
      },
      ({ params, request }) => {
        allowSlowBody(request);
        return imports.put(params.id, params.number, request);
      },
      ({ params, request }) =>
        imports.putForm(params.id, params.number, openMultipart(request, { bytesMax: formBytesOf(partBytesMax) })),
    ),
    route(
      {
        method: "post",
        path: "/admin/imports/:id/start",
        name: "admin.startImport",
        tag: "administration",
        summary: "Make servers, people, channels and messages of an archive that was read",
        description:
          "`into`: an existing server; otherwise each server of the archive becomes a new one, of `owner_id` or the caller. " +
          "`visible`: names of channels that everyone may see although the archive does not say that they were public.",
        caller: "admin",
        causes: ["SERVER_JOIN", "MEMBER_JOIN", "CHANNEL_CREATE", "SERVER_UPDATE"],
        params,
        body: startBody,
        success: accepted,
        errors: {
          invalid_input: [
            errorTexts.import_not_ready,
            errorTexts.import_names_invalid,
            errorTexts.import_claim_by_email_invalid,
            errorTexts.import_server_needed,
            errorTexts.import_server_unknown("<name>"),
            errorTexts.server_name_length,
          ],
          not_found: [...notFound, errorTexts.server_not_found, errorTexts.user_not_found],
          conflict: [errorTexts.import_running],
        },
      },
      ({ identity, params, body }) => imports.start(identity.userId, params.id, body),
    ),
    change("pause", "Pause an import after the batch that is under way", imports.pause),
    change("resume", "Let a paused or failed import go on", imports.resume),
    route(
      {
        method: "delete",
        path: "/admin/imports/:id",
        name: "admin.undoImport",
        tag: "administration",
        summary: "Take back everything that an import made and nobody has touched since",
        caller: "admin",
        causes: ["CHANNEL_DELETE", "SERVER_LEAVE"],
        params,
        success: accepted,
        errors: { not_found: notFound },
      },
      ({ identity, params }) => imports.undo(identity.userId, params.id),
    ),
  ];
}
