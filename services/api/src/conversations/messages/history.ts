import type { FileUrls } from "@parley/auth";
import { errorTexts, notFound } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { resolveAccess } from "@parley/permissions";
import { inChannel } from "../../access/may.js";
import { requireAll, viewing } from "../../access/needs.js";
import type { Asking, May } from "../../platform/http/may.js";
import type { DetailKeys } from "../core/details.js";
import type { HistoryQuery } from "../core/schema.js";
import type { ReadPage } from "../core/service.js";
import { findPage, linesOf } from "./history-repository.js";
import type { DescribedMessage } from "./repository.js";
import { toMessages } from "./resource.js";

/**
 * Creates the right to read pages of a channel's history, newest first, as the JSON of their messages. The statement that reads
 * the page asks for it. Where the api adds nothing, the page is the text that PostgreSQL made: each copy of it is collected
 * again.
 */
export function createMayReadHistory({
  database,
  urls,
  detailKeys,
}: {
  database: Database;
  urls: FileUrls;
  detailKeys: DetailKeys<DescribedMessage>;
}): May<{ channel_id: string }, ReadPage> {
  const read = async (
    { userId, session, params: { channel_id: channelId } }: Asking<{ channel_id: string }>,
    { include, ...place }: HistoryQuery,
  ): Promise<string> => {
    const page = await findPage(database, { channelId, ...place }, { userId, session, keys: include.length > 0 });
    if (page === null) throw notFound(errorTexts.channel_not_found);
    requireAll({ permissions: resolveAccess(page, userId) }, [viewing]);
    const { text, composed, keys } = page;
    if (composed.length === 0 && keys === null) return text;
    const lines = linesOf(text);
    const rows = composed.map(({ row }) => row);
    const messages = await toMessages(database, rows, { viewerId: userId, urls });
    for (const [index, { line }] of composed.entries()) lines[line] = JSON.stringify(messages[index]);
    const details = await detailKeys(keys ?? [], { viewerId: userId, include });
    return `[${lines.map((line, index) => withKeys(line, JSON.stringify(details[index] ?? {}))).join(",")}]`;
  };
  return { ...inChannel(viewing), ask: (_stores, asking) => (query) => read(asking, query) };
}

/** The JSON of an object with the keys of another. */
function withKeys(object: string, others: string): string {
  return others === "{}" ? object : `${object.slice(0, -1)},${others.slice(1)}`;
}
