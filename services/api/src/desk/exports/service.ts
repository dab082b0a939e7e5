import { type Channel, errorTexts, notFound, type Role, rateLimited, type Server } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { toChannel } from "../../community/channels/resource.js";
import { findMembers, listStart } from "../../community/members/page-repository.js";
import { toRole } from "../../community/roles/resource.js";
import { toServer } from "../../community/servers/resource.js";
import { toMessages } from "../../conversations/messages/resource.js";
import type { FileUrls } from "../../platform/files/signed-urls.js";
import type { BackgroundQueue } from "../../platform/load/background-queue.js";
import { FairQueue } from "../../platform/load/fair-queue.js";
import { exportPageMax, exportQueue } from "./limits.js";
import { exportStart, findExported, findStructure, takeSnapshot } from "./repository.js";

/** Seconds after which a refused caller may try again (Retry-After). */
const retryAfterSeconds = 60;

/** A server at one moment. Long lists are read page by page, in their state of that moment. */
export interface ServerExport {
  server: Server;
  channels: Channel[];
  roles: Role[];
  /** JSON of each member, a page at a time. */
  members(): AsyncGenerator<string[]>;
  /** JSON of each message of a channel, oldest first, a page at a time. */
  messages(channelId: string): AsyncGenerator<string[]>;
}

/** @param options.pages reads the pages of all exports, because requests are more urgent */
export function createExportService(options: { database: Database; pages: BackgroundQueue; urls: FileUrls }) {
  const { database, pages, urls } = options;
  const queue = new FairQueue(exportQueue);
  const underWay = new Set<string>();

  /**
   * The structure of a server is read in one short transaction, so that none stays open while a client takes its time.
   */
  const snapshot = (ownerId: string, serverId: string) =>
    database.transaction(async (transaction) => {
      const takenAt = await takeSnapshot(transaction);
      const row = await findStructure(transaction, ownerId, serverId);
      if (row === null) throw notFound(errorTexts.server_not_found);
      return { takenAt, server: toServer(row), channels: row.channels.map(toChannel), roles: row.roles.map(toRole) };
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
     * @param write sends the export; nothing is read after it has ended
     * @throws ServiceError 404 for users other than the owner, 429 while the server is exported already, or too many
     *   exports go before
     */
    async run(ownerId: string, serverId: string, write: (content: ServerExport) => Promise<void>): Promise<void> {
      const { takenAt, ...structure } = await snapshot(ownerId, serverId);
      if (underWay.has(serverId)) throw rateLimited("exports", errorTexts.rate_limited, retryAfterSeconds);
      underWay.add(serverId);
      const content = {
        ...structure,
        members: () => members(serverId, takenAt),
        messages: (channelId: string) => messages(channelId, takenAt),
      };
      try {
        await queue.run(ownerId, () => write(content));
      } finally {
        underWay.delete(serverId);
      }
    },
  };
}

export type ExportService = ReturnType<typeof createExportService>;
