import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Database } from "@parley/database/prisma";
import type { Response } from "express";
import { z } from "zod";
import { untilSent } from "../../platform/http/until-sent.js";
import { exportAccount } from "./repository.js";

const Row = z.record(z.string(), z.unknown());
/** The document (docs/protocol/accounts.md#18.2). */
export const AccountExport = z
  .object({
    account: Row,
    sessions: z.array(Row),
    servers: z.array(Row),
    bots: z.array(Row),
    friends: z.array(Row),
    blocks: z.array(Row),
    groups: z.array(Row),
    push_subscriptions: z.array(Row),
    passkeys: z.array(Row),
    messages: z.array(Row),
    direct_messages: z.array(Row),
  })
  .meta({ id: "AccountExport", description: "Everything that an account wrote and that is kept of it." });

/** Answers with the export as it is read: one page of rows is in memory at a time. */
export async function sendAccountExport(database: Database, userId: string, response: Response): Promise<void> {
  response.setHeader("Content-Type", "application/json; charset=utf-8");
  response.setHeader("Content-Disposition", 'attachment; filename="account.json"');
  await untilSent(pipeline(Readable.from(exportAccount(database, userId), { highWaterMark: 1 }), response));
}
