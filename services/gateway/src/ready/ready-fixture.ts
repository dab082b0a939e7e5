import { Ready } from "@parley/contracts";
import { connectDatabase, type Database } from "@parley/database/prisma";
import { createLogger } from "@parley/service-runtime";
import { createTestDatabase } from "@parley/testing";
import { z } from "zod";
import { createRows } from "../gateway-fixture.js";
import { createReadyBuilder } from "./ready.js";
import { createServerStructures } from "./server-structures.js";

/** A builder of READY frames on a database of the test's own. */
export interface ReadyFixture {
  readonly database: Database;
  readonly rows: ReturnType<typeof createRows>;
  /** Null when there is no such user. */
  readonly frame: (userId: string, version?: 1 | 2) => Promise<Buffer | null>;
  /** The payload, checked field by field. */
  readonly ready: (userId: string, version?: 1 | 2) => Promise<Ready>;
  /** Stores a message with a creation time and returns its id, which contains this time. */
  readonly message: (options: MessageOptions) => Promise<string>;
  readonly stop: () => Promise<void>;
}

interface MessageOptions {
  channel: string;
  server: string;
  author: string | null;
  at: Date;
  mentions?: string[];
  everyone?: boolean;
  thread?: string;
  deleted?: boolean;
}

const ReadyFrame = z.strictObject({ op: z.literal("DISPATCH"), t: z.literal("READY"), d: z.unknown() });
const strictReady = z.strictObject(Ready.shape);

export async function startReadyFixture(): Promise<ReadyFixture> {
  const testDatabase = await createTestDatabase();
  const logger = createLogger({ service: "gateway", level: "silent", nodeId: "test" });
  const database = await connectDatabase({ url: testDatabase.url, poolMax: 4, applicationName: "ready test", logger });
  const build = createReadyBuilder({ database, findStructures: createServerStructures({ database }) });
  const frame = (userId: string, version: 1 | 2 = 1) => build(userId, { version, shard: null });
  return {
    database,
    rows: createRows(database),
    frame,
    async ready(userId, version) {
      const bytes = await frame(userId, version);
      if (bytes === null) throw new Error("no such user");
      const text = bytes.subarray(bytes.length < 126 ? 2 : bytes.length < 65_536 ? 4 : 10).toString();
      return strictReady.parse(ReadyFrame.parse(JSON.parse(text)).d);
    },
    message: (options) => storeMessage(database, options),
    async stop() {
      await database.close();
      await testDatabase.drop();
    },
  };
}

async function storeMessage(database: Database, options: MessageOptions): Promise<string> {
  const random = Array.from({ length: 18 }, () => Math.floor(Math.random() * 16).toString(16)).join("");
  const time = options.at.getTime().toString(16).padStart(12, "0");
  const id = `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6, 18)}`;
  await database.prisma.message.create({
    data: {
      id,
      channel_id: options.channel,
      server_id: options.server,
      author_id: options.author,
      content: "text",
      mention_user_ids: options.mentions ?? [],
      mention_everyone: options.everyone ?? false,
      thread_id: options.thread ?? null,
      deleted: options.deleted ?? false,
    },
  });
  return id;
}
