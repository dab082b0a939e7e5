import type { FileUrls } from "@parley/auth";
import { errorTexts, notFound, rateLimited } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { toChannel } from "../../community/channels/resource.js";
import { findMembers, listStart } from "../../community/members/page-repository.js";
import { toRole } from "../../community/roles/resource.js";
import { toServer } from "../../community/servers/resource.js";
import { toMessages } from "../../conversations/messages/resource.js";
import type { FileStorage } from "../../platform/files/storage/storage.js";
import type { BackgroundQueue } from "../../platform/load/background-queue.js";
import { FairQueue } from "../../platform/load/fair-queue.js";
import { exportPageMax, exportQueue } from "./limits.js";
import { withManifest } from "./manifest.js";
import { plainParts } from "./plain-parts.js";
import { exportStart, findExported, findStructure, takeSnapshot } from "./repository.js";
import { noCounts, wholeParts } from "./whole-parts.js";
import { findWholeStructure } from "./whole-repository.js";
import type { ZipPart } from "./zip-part.js";

/** Seconds after which a refused caller may try again (Retry-After). */
const retryAfterSeconds = 60;

/** @param options.pages reads the pages of all exports, because requests are more urgent */
export function createExportService(options: {
  database: Database;
  storage: Pick<FileStorage, "get">;
  pages: BackgroundQueue;
  urls: FileUrls;
}) {
  const { database, pages, urls } = options;
  const queue = new FairQueue(exportQueue);
  const underWay = new Set<string>();

  /**
   * The structure of a server is read in one short transaction, so that none stays open while a client takes its time.
   */
  const snapshot = (ownerId: string | null, serverId: string, isWhole: boolean) =>
    database.transaction(async (transaction) => {
      const takenAt = await takeSnapshot(transaction);
      const row = await findStructure(transaction, ownerId, serverId);
      if (row === null) throw notFound(errorTexts.server_not_found);
      const structure = { takenAt, server: toServer(row), channels: row.channels.map(toChannel), roleRows: row.roles };
      return { ...structure, whole: isWhole ? await findWholeStructure(transaction, serverId) : null };
    });

  async function* members(serverId: string, takenAt: Date): AsyncGenerator<string[]> {
    for (let after = listStart, more = true; more; ) {
      const page = { serverId, after, limit: exportPageMax, filter: {} };
      const rows = await pages.run(() => findMembers(database, page));
      const last = rows.at(-1);
      more = last !== undefined && rows.length === exportPageMax && last.joined_at <= takenAt;
      if (last !== undefined) after = { joinedAt: last.joined_at, userId: last.user_id };
      yield rows.filter(({ joined_at }) => joined_at <= takenAt).map(({ text }) => text);
    }
  }

  const readMessages = async (page: { channelId: string; after: string; until: Date }) => {
    const rows = await findExported(database, page);
    const lines = (await toMessages(database, rows, { viewerId: null, urls })).map((message) =>
      JSON.stringify(message),
    );
    return { lines, last: rows.at(-1)?.id, more: rows.length === exportPageMax };
  };

  async function* messages(channelId: string, until: Date): AsyncGenerator<string[]> {
    for (let after = exportStart, more = true; more; ) {
      const page = await pages.run(() => readMessages({ channelId, after, until }));
      more = page.more;
      after = page.last ?? after;
      yield page.lines;
    }
  }

  return {
    /**
     * Runs one export when the turn of its owner has come.
     *
     * @param asked.ownerId null for the operator's, who asks for any server
     * @param asked.files whether it is the whole one, with files
     * @param write sends the export; nothing is read after it has ended
     * @throws ServiceError 404 for users other than the owner, 429 while the server is exported already, or too many
     *   exports go before
     */
    async run(
      { ownerId, serverId, files }: { ownerId: string | null; serverId: string; files: boolean },
      write: (name: string, parts: Iterable<ZipPart> | AsyncIterable<ZipPart>) => Promise<void>,
    ): Promise<void> {
      const { takenAt, server, channels, roleRows, whole } = await snapshot(ownerId, serverId, files);
      if (underWay.has(serverId)) throw rateLimited("exports", errorTexts.rate_limited, retryAfterSeconds);
      underWay.add(serverId);
      const structure = { server, channels, members: () => members(serverId, takenAt) };
      const counts = noCounts();
      const parts =
        whole === null
          ? plainParts({
              ...structure,
              roles: roleRows.map(toRole),
              messages: (channelId) => messages(channelId, takenAt),
            })
          : withManifest(wholeParts({ ...structure, ...whole, roleRows, takenAt }, options, counts), {
              exportedAt: takenAt,
              counts,
            });
      try {
        await queue.run(server.owner_id, () => write(server.name, parts));
      } finally {
        underWay.delete(serverId);
      }
    },
  };
}

export type ExportService = ReturnType<typeof createExportService>;
