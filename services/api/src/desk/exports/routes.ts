import { errorTexts } from "@parley/contracts";
import contentDisposition from "content-disposition";
import { z } from "zod";
import { identifier } from "../../platform/http/input.js";
import { type Route, route } from "../../platform/http/route.js";
import { sendZip } from "./send-zip.js";
import type { ExportService } from "./service.js";

export function exportRoutes(exports: ExportService): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/servers/:id/export",
        name: "servers.export",
        summary: "Export a server",
        description:
          "A zip archive of `server.json`, `channels.json`, `members.json`, `roles.json` and `messages/<channel id>.jsonl`.",
        caller: "account",
        params: z.object({ id: identifier }),
        success: {
          status: 200,
          description: "The archive",
          schema: z.string().meta({ format: "binary" }),
          contentType: "application/zip",
        },
        errors: { not_found: [errorTexts.server_not_found] },
      },
      async ({ identity, params, request, response }) => {
        await exports.run(identity.userId, params.id, async (content) => {
          response.writeHead(200, {
            "Content-Type": "application/zip",
            "Content-Disposition": contentDisposition(filenameOf(content.server)),
            "Cache-Control": "no-store",
            // A proxy that keeps the answer in files would read it faster than its client does.
            "X-Accel-Buffering": "no",
          });
          if (request.method === "HEAD") response.end();
          else await sendZip(response, content);
        });
        return "";
      },
    ),
  ];
}

/** `contentDisposition` takes a name with a slash for a path, and would keep only its last part. */
const filenameOf = ({ name }: { name: string }) => `${name.replaceAll(/[/\\]/g, "_")}.zip`;
