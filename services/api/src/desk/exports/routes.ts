import { errorTexts } from "@parley/contracts";
import contentDisposition from "content-disposition";
import { z } from "zod";
import { identifier } from "../../platform/http/input.js";
import { type Route, route } from "../../platform/http/route.js";
import { exportTimeoutMs, wholeExportTimeoutMs } from "./limits.js";
import { sendZip } from "./send-zip.js";
import type { ExportService } from "./service.js";

const exportQuery = z.object({
  files: z
    .string()
    .optional()
    .transform((value) => value === "true")
    .meta({ type: "boolean", description: "Whether the export is whole, with files" }),
});

export function exportRoutes(exports: ExportService): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/servers/:id/export",
        name: "servers.export",
        summary: "Export a server",
        description:
          "A zip archive of `server.json`, `channels.json`, `members.json`, `roles.json` and `messages/<channel id>.jsonl`. " +
          "With `files=true` everything that a server takes along, with files and a `manifest.json`.",
        caller: "account",
        params: z.object({ id: identifier }),
        query: exportQuery,
        success: {
          status: 200,
          description: "The archive",
          schema: z.string().meta({ format: "binary" }),
          contentType: "application/zip",
        },
        errors: { not_found: [errorTexts.server_not_found] },
      },
      async ({ identity, params, query, request, response }) => {
        const { files } = query;
        await exports.run({ ownerId: identity.userId, serverId: params.id, files }, async (name, parts) => {
          response.writeHead(200, {
            "Content-Type": "application/zip",
            "Content-Disposition": contentDisposition(filenameOf(name)),
            "Cache-Control": "no-store",
            // A proxy that keeps the answer in files would read it faster than its client does.
            "X-Accel-Buffering": "no",
          });
          if (request.method === "HEAD") response.end();
          else await sendZip(response, parts, { timeoutMs: files ? wholeExportTimeoutMs : exportTimeoutMs });
        });
        return "";
      },
    ),
  ];
}

/** `contentDisposition` takes a name with a slash for a path, and would keep only its last part. */
const filenameOf = (name: string) => `${name.replaceAll(/[/\\]/g, "_")}.zip`;
