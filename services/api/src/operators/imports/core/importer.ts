import type { Database, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import type { Logger } from "@parley/service-runtime";
import type { DeleteServer } from "../../../community/servers/delete-server.js";
import type { Config } from "../../../config.js";
import type { Pictures } from "../../../people/pictures/service.js";
import type { DeleteFiles } from "../../../platform/files/storage/delete-files.js";
import type { FileStorage } from "../../../platform/files/storage/storage.js";

/** The connections of the process that works on an import. */
export interface Importer {
  config: Config;
  logger: Logger;
  database: Database;
  outbox: Outbox<Transaction>;
  storage: FileStorage;
  deleteFiles: DeleteFiles;
  pictures: Pictures;
  deleteServer: DeleteServer;
}
