import { connectDatabase } from "@parley/database/prisma";
import { createLogger, loadConfigOrExit } from "@parley/service-runtime";
import { configSchema } from "./config.js";
import { importCommand } from "./operators/imports/command.js";
import { createImportService } from "./operators/imports/service.js";
import { createReservations } from "./platform/files/quotas/reservations.js";
import { createDeleteFiles } from "./platform/files/storage/delete-files.js";
import { openStorage } from "./platform/files/storage/open-storage.js";

// `node dist/import-main.js export.zip --new Garden < export.zip` in the container of an api (deploy/parley import).
const config = loadConfigOrExit(configSchema, process.env);
const logger = createLogger({ service: "import", level: "warn", nodeId: "operator" });
const { DATABASE_URL: url } = config;
const database = await connectDatabase({ url, poolMax: 2, applicationName: "parley import", logger });
const storage = await openStorage({ config, logger });
try {
  const deleteFiles = createDeleteFiles({ storage, logger });
  const imports = createImportService({
    ...{ database, storage, deleteFiles, config },
    reservations: createReservations({ database, logger }),
  });
  const write = (line: string) => process.stdout.write(`${line}\n`);
  process.exitCode = await importCommand(database, imports, {
    args: process.argv.slice(2),
    content: process.stdin,
    write,
  });
} finally {
  storage.close();
  await database.close();
}
