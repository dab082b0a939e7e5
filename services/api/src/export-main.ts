import { createFileUrls } from "@parley/auth";
import { connectDatabase } from "@parley/database/prisma";
import { createLogger, loadConfigOrExit } from "@parley/service-runtime";
import { z } from "zod";
import { configSchema } from "./config.js";
import { exportCommand } from "./desk/exports/by-operator.js";
import { createExportService } from "./desk/exports/service.js";
import { openStorage } from "./platform/files/storage/open-storage.js";
import { BackgroundQueue } from "./platform/load/background-queue.js";

// `node dist/export-main.js "Chess club" > export.zip` in the container of an api (deploy/parley export).
const { DATABASE_URL, UPLOAD_DIR, JWT_SECRET, FILE_URL_SECRET, ...bucket } = configSchema.shape;
const { S3_BUCKET, S3_REGION, S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_FORCE_PATH_STYLE } = bucket;
const files = {
  UPLOAD_DIR,
  S3_BUCKET,
  S3_REGION,
  S3_ENDPOINT,
  S3_ACCESS_KEY_ID,
  S3_SECRET_ACCESS_KEY,
  S3_FORCE_PATH_STYLE,
};
const config = loadConfigOrExit(z.object({ DATABASE_URL, JWT_SECRET, FILE_URL_SECRET, ...files }), process.env);
const logger = createLogger({ service: "export", level: "warn", nodeId: "operator", destination: process.stderr });
const url = config.DATABASE_URL;
const database = await connectDatabase({ url, poolMax: 1, applicationName: "parley export", logger });
const storage = await openStorage({ config, logger });
try {
  const urls = createFileUrls({ secret: config.FILE_URL_SECRET, jwtSecret: config.JWT_SECRET });
  const exports = createExportService({ database, storage, urls, pages: new BackgroundQueue() });
  const write = (line: string) => process.stderr.write(`${line}\n`);
  process.exitCode = await exportCommand({ database, exports }, process.argv.slice(2), {
    output: process.stdout,
    write,
  });
} finally {
  storage.close();
  await database.close();
}
