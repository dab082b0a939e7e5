import type { SessionClaim } from "@parley/auth";
import { errorTexts, notFound } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { resolveAccess } from "@parley/permissions";
import { requireView } from "../../access/channel-access.js";
import type { FileUrls } from "../../platform/files/signed-urls.js";
import type { DetailKeys } from "../core/details.js";
import type { HistoryQuery } from "../core/schema.js";
import { findPage, linesOf } from "./history-repository.js";
import type { DescribedMessage } from "./repository.js";
import { toMessages } from "./resource.js";

/**
 * Creates the function that reads a page of a channel's history, newest first, as the JSON of its messages. Where the
 * api adds nothing, it is the text that PostgreSQL made: each copy of it is collected again.
 *
 * @throws ServiceError 404 for a missing channel, for non-members and where the session has ended, 403 without VIEW_CHANNEL
 */
export function createReadHistory({
  database,
  urls,
  detailKeys,
}: {
  database: Database;
  urls: FileUrls;
  detailKeys: DetailKeys<DescribedMessage>;
}) {
  return async (
    { userId, session }: { userId: string; session: SessionClaim | null },
    channelId: string,
    { include, ...place }: HistoryQuery,
  ): Promise<string> => {
    const page = await findPage(database, { channelId, ...place }, { userId, session, keys: include.length > 0 });
    if (page === null) throw notFound(errorTexts.channel_not_found);
    requireView({ permissions: resolveAccess(page, userId) });
    const { text, composed, keys } = page;
    if (composed.length === 0 && keys === null) return text;
    const lines = linesOf(text);
    const rows = composed.map(({ row }) => row);
    const messages = await toMessages(database, rows, { viewerId: userId, urls });
    for (const [index, { line }] of composed.entries()) lines[line] = JSON.stringify(messages[index]);
    const details = await detailKeys(keys ?? [], { viewerId: userId, include });
    return `[${lines.map((line, index) => withKeys(line, JSON.stringify(details[index] ?? {}))).join(",")}]`;
  };
}

/** The JSON of an object with the keys of another. */
function withKeys(object: string, others: string): string {
  return others === "{}" ? object : `${object.slice(0, -1)},${others.slice(1)}`;
}

export type ReadHistory = ReturnType<typeof createReadHistory>;
