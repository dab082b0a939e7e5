import type { FileUrls } from "@parley/auth";
import { errorTexts, FilePage, fileKinds, uuidInput } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { z } from "zod";
import { inServer } from "../../access/may.js";
import { findViewableChannels } from "../../access/repository.js";
import { toAttachment } from "../../platform/files/attachment.js";
import { identifier } from "../../platform/http/input.js";
import { pageLimit } from "../../platform/http/page-limit.js";
import { ok, type Route, route } from "../../platform/http/route.js";
import { findFiles } from "./repository.js";

const query = z.object({
  type: z.enum(fileKinds, errorTexts.file_kind_invalid).optional(),
  before: uuidInput(errorTexts.before_invalid).optional().meta({ description: "A file: the page begins after it" }),
  limit: pageLimit,
});

export function serverFileRoutes({ database, urls }: { database: Database; urls: FileUrls }): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/servers/:id/files",
        name: "attachments.listOfServer",
        summary: "List the files in the channels of a server that the caller may view, newest first",
        caller: "account",
        params: z.object({ id: identifier }),
        query,
        may: inServer(),
        success: ok(FilePage),
        errors: {
          invalid_input: [errorTexts.file_kind_invalid, errorTexts.before_invalid, errorTexts.limit_not_integer],
        },
      },
      async ({ may, query: { type: kind, before, limit } }) => {
        const { serverId, userId } = await may.access();
        const channelIds = (await findViewableChannels(database, serverId, userId)).map(({ id }) => id);
        // One more tells whether there is a next page.
        const rows = await findFiles(database, { serverId, channelIds, before, limit: limit + 1, kind });
        const shown = rows.slice(0, limit);
        const files = shown.map((row) => ({ ...toAttachment(row, urls), channel_id: row.channel_id }));
        return { files, next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
      },
    ),
  ];
}
