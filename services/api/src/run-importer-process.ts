import { connectDatabase } from "@parley/database/prisma";
import { connectMessaging } from "@parley/messaging";
import { createOutbox } from "@parley/outbox";
import { connectRedis } from "@parley/redis";
import { startService } from "@parley/service-runtime";
import { createVoice } from "@parley/voice";
import { createDeleteServer } from "./community/servers/delete-server.js";
import { configSchema } from "./config.js";
import { workOnImport } from "./operators/imports/work.js";
import { createPictures } from "./people/pictures/service.js";
import { createReservations } from "./platform/files/quotas/reservations.js";
import { createDeleteFiles } from "./platform/files/storage/delete-files.js";
import { openStorage } from "./platform/files/storage/open-storage.js";

/** Works on one import until that ends or is paused, or the process that began this one is gone. */
export async function runImporterProcess([id = "", lease = ""]: string[]): Promise<void> {
  process.once("disconnect", () => process.exit(1));
  await startService("importer", configSchema, { connectDatabase, connectRedis, connectMessaging }, async (service) => {
    const { config, logger, metrics, database, redis, messaging, own, onStop } = service;
    const outbox = own("outbox", createOutbox({ database, messaging, logger }));
    const storage = own("storage", await openStorage({ config, logger }));
    const deleteFiles = createDeleteFiles({ storage, logger });
    const reservations = createReservations({ database, logger });
    const pictures = createPictures({ database, storage, deleteFiles, reservations, registry: metrics.registry });
    const deleteServer = createDeleteServer({ outbox, voice: createVoice({ redis, outbox }), logger });
    const stop = new AbortController();
    const parts = { config, logger, database, outbox, storage, deleteFiles, pictures, deleteServer };
    // A failure that is no sentence for the administrator ends the process, and another one tries again.
    const work = workOnImport(parts, { id, lease, signal: stop.signal });
    onStop("import", () => {
      stop.abort();
      return work.catch(() => undefined);
    });
    void work.then(() => process.kill(process.pid, "SIGTERM"));
  });
}
