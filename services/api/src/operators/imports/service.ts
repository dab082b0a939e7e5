import { setTimeout as pause } from "node:timers/promises";
import { type AdminAction, conflict, errorTexts, invalidInput, notFound, visibleName } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import { requireAdminsRemain } from "../../access/admin-lock.js";
import { appendAdminLog } from "../../access/admin-log/repository.js";
import { lockAdministration } from "../../access/repository.js";
import { findServer } from "../../community/servers/repository.js";
import { findLivingAccounts } from "../../people/users/repository.js";
import { toFilename } from "../../platform/files/names.js";
import type { Reservations } from "../../platform/files/quotas/reservations.js";
import type { DeleteFiles } from "../../platform/files/storage/delete-files.js";
import { importPartKey } from "../../platform/files/storage/keys.js";
import type { FileStorage } from "../../platform/files/storage/storage.js";
import type { MultipartForm } from "../../platform/http/multipart.js";
import { parse } from "../../platform/http/route.js";
import { partBytesMax, type StoredPart, storePart, storeWhole } from "./core/parts.js";
import {
  countBusy,
  deleteImport,
  findImport,
  findImports,
  findParts,
  type ImportRow,
  insertImport,
  lockImport,
  putPart,
  runningMax,
  setSize,
  setState,
  toImport,
} from "./core/repository.js";
import { type BeginImport, type Import, type ImportOptions, type StartImport, sourceBody } from "./core/schema.js";
import { findServersOf } from "./reading/repository.js";
import { saveOptions } from "./writing/repository.js";

/** How long the answer to an upload waits for the source to be recognised. */
const recognisedWithinMs = 15_000;
const lookMs = 100;

export function createImportService(options: {
  database: Database;
  storage: FileStorage;
  deleteFiles: DeleteFiles;
  reservations: Reservations;
  config: { IMPORT_MAX_BYTES: number };
}) {
  const { database, storage, deleteFiles, reservations } = options;
  const { IMPORT_MAX_BYTES: bytesMax } = options.config;

  const requireImport = async (id: string): Promise<ImportRow> => {
    const row = await findImport(database, id);
    if (row === undefined) throw notFound(errorTexts.import_not_found);
    return row;
  };

  /** Changes an import for an administrator, who is one still, and notes it in the log. */
  const change = (
    { adminId, id, action }: { adminId: string; id: string; action: AdminAction },
    work: (transaction: Transaction, row: ImportRow) => Promise<unknown>,
  ) =>
    database.transaction(async (transaction) => {
      await lockAdministration(transaction);
      await requireAdminsRemain(transaction, adminId);
      const row = await lockImport(transaction, id);
      if (row === undefined) throw notFound(errorTexts.import_not_found);
      await work(transaction, row);
      await appendAdminLog(transaction, { adminId, action, targetId: id, details: { filename: row.filename } });
    });

  const requireTurn = async (transaction: Transaction, id: string | null) => {
    if ((await countBusy(transaction, id)) >= runningMax) throw conflict(errorTexts.import_running);
  };

  const create = (adminId: string, { source, size, filename }: BeginImport) =>
    database.transaction(async (transaction) => {
      if (size > bytesMax) throw invalidInput(errorTexts.import_archive_size);
      await lockAdministration(transaction);
      await requireAdminsRemain(transaction, adminId);
      await requireTurn(transaction, null);
      const name = toFilename(filename);
      const row = await insertImport(transaction, { source: source ?? null, filename: name, size, adminId });
      const details = { filename: name };
      await appendAdminLog(transaction, { adminId, action: "import_create", targetId: row.id, details });
      return row;
    });

  /** Notes a piece; the last one begins the reading. @returns the piece that it replaces */
  const notePart = (part: StoredPart) =>
    database.transaction(async (transaction) => {
      const row = await lockImport(transaction, part.importId);
      if (row === undefined) throw notFound(errorTexts.import_not_found);
      if (row.state !== "receiving") throw invalidInput(errorTexts.import_not_ready);
      const parts = await findParts(transaction, part.importId);
      const before = parts.find(({ number }) => number === part.number);
      const sum = parts.reduce((bytes, { size }) => bytes + size, 0) - (before?.size ?? 0) + part.size;
      if (sum > row.size) throw invalidInput(errorTexts.import_part_size);
      await putPart(transaction, part);
      if (sum === row.size) await setState(transaction, row.id, "reading");
      return before;
    });

  const addPart = async (part: StoredPart) => {
    try {
      const before = await notePart(part);
      if (before !== undefined)
        await deleteFiles([importPartKey({ ...part, number: before.number, uploadId: before.upload_id })]);
    } catch (error) {
      await deleteFiles([importPartKey(part)]);
      throw error;
    } finally {
      await part.room.end();
    }
  };

  /** One piece; sent again it replaces the former one. The last one begins the reading. */
  const put = async (id: string, number: number, content: AsyncIterable<Uint8Array>): Promise<Import> => {
    if ((await requireImport(id)).state !== "receiving") throw invalidInput(errorTexts.import_not_ready);
    await addPart(await storePart({ storage, reservations }, { importId: id, number, content }));
    return toImport(await requireImport(id));
  };

  const discard = async (id: string) => {
    const parts = await findParts(database, id);
    await database.transaction((transaction) => deleteImport(transaction, id));
    await deleteFiles(
      parts.map(({ number, upload_id }) => importPartKey({ importId: id, number, uploadId: upload_id })),
    );
  };

  /** @throws ServiceError 400 for an archive that no source makes, and then nothing of it is left */
  const untilRecognised = async (id: string): Promise<Import> => {
    const deadline = performance.now() + recognisedWithinMs;
    for (;;) {
      const row = await requireImport(id);
      if (row.state === "failed" && row.error === errorTexts.import_format_unknown) {
        await discard(id);
        throw invalidInput(errorTexts.import_format_unknown);
      }
      if (row.state !== "reading" || row.source !== null || performance.now() > deadline) return toImport(row);
      await pause(lookMs);
    }
  };

  return {
    async list(): Promise<Import[]> {
      return (await findImports(database)).map(toImport);
    },

    async get(id: string): Promise<Import> {
      return toImport(await requireImport(id));
    },

    /** An archive that follows in pieces. */
    async begin(adminId: string, body: BeginImport): Promise<Import> {
      return toImport(await create(adminId, body));
    },

    /** An archive in one form, whose length is known only at its end. */
    async upload(adminId: string, form: MultipartForm): Promise<Import> {
      let source: string | undefined;
      let row: ImportRow | undefined;
      const parts: StoredPart[] = [];
      try {
        await form.read({
          onField(name, value) {
            if (name === "source") source = value;
          },
          async onFile({ name, filename, content }) {
            if (name !== "archive" || row !== undefined) return;
            row = await create(adminId, { size: 1, source: undefined, filename });
            for await (const part of storeWhole({ storage, reservations }, row.id, content)) {
              parts.push(part);
              if (parts.length * partBytesMax > bytesMax + partBytesMax)
                throw invalidInput(errorTexts.import_archive_size);
            }
          },
        });
        const { id } = row ?? {};
        if (id === undefined || parts.length === 0) throw invalidInput(errorTexts.import_archive_required);
        const { source: given } = parse<typeof sourceBody>(sourceBody, { source });
        const size = parts.reduce((bytes, part) => bytes + part.size, 0);
        if (size > bytesMax) throw invalidInput(errorTexts.import_archive_size);
        await database.transaction(async (transaction) => {
          await setSize(transaction, id, { size, source: given });
          for (const part of parts) await putPart(transaction, part);
          await setState(transaction, id, "reading");
        });
        return await untilRecognised(id);
      } catch (error) {
        const left = row === undefined ? undefined : await findImport(database, row.id);
        if (left?.state === "receiving") {
          await discard(left.id);
          await deleteFiles(parts.map(importPartKey));
        }
        throw error;
      } finally {
        for (const { room } of parts) await room.end();
      }
    },

    put,

    /** The same for a piece in a form. */
    async putForm(id: string, number: number, form: MultipartForm): Promise<Import> {
      let isPut = false;
      await form.read({
        async onFile({ name, content }) {
          if (name !== "part" || isPut) return;
          isPut = true;
          await put(id, number, content);
        },
      });
      if (!isPut) throw invalidInput(errorTexts.import_part_size);
      return toImport(await requireImport(id));
    },

    async start(adminId: string, id: string, body: StartImport): Promise<Import> {
      await change({ adminId, id, action: "import_start" }, async (transaction, row) => {
        if (row.state !== "ready") throw invalidInput(errorTexts.import_not_ready);
        const owner_id = body.owner_id ?? adminId;
        if ((await findLivingAccounts(transaction, [owner_id])).length === 0) throw notFound(errorTexts.user_not_found);
        if (body.into != null && (await findServer(transaction, body.into)) === null)
          throw notFound(errorTexts.server_not_found);
        const servers = await chosenServers(transaction, row, body);
        const name = visibleName(body.name ?? "");
        const chosen: ImportOptions = {
          into: body.into ?? null,
          servers,
          name: name === "" ? null : [...name].slice(0, 100).join(""),
          owner_id,
          visible: body.visible ?? [],
          claim_by_email: body.claim_by_email ?? false,
        };
        await requireTurn(transaction, id);
        await saveOptions(transaction, id, chosen);
        await setState(transaction, id, "running");
      });
      return toImport(await requireImport(id));
    },

    async pause(adminId: string, id: string): Promise<Import> {
      await change({ adminId, id, action: "import_pause" }, async (transaction, row) => {
        if (row.state !== "running") throw invalidInput(errorTexts.import_not_ready);
        await setState(transaction, id, "paused");
      });
      return toImport(await requireImport(id));
    },

    /** A paused import goes on; a failed one from its last whole batch. */
    async resume(adminId: string, id: string): Promise<Import> {
      await change({ adminId, id, action: "import_resume" }, async (transaction, row) => {
        const isWaiting = row.state === "paused" || row.state === "failed";
        // Of an archive that could not be read nothing is left.
        if (!isWaiting || (await findParts(transaction, id)).length === 0)
          throw invalidInput(errorTexts.import_not_ready);
        await requireTurn(transaction, id);
        await setState(transaction, id, row.options === null ? "reading" : "running");
      });
      return toImport(await requireImport(id));
    },

    /** Takes back what the import made. */
    async undo(adminId: string, id: string): Promise<Import> {
      await change({ adminId, id, action: "import_undo" }, async (transaction, row) => {
        if (row.state === "undone" || row.state === "undoing") return;
        await setState(transaction, id, "undoing");
      });
      return toImport(await requireImport(id));
    },
  };

  /** @returns external ids of the servers that come; null for all */
  async function chosenServers(transaction: Transaction, row: ImportRow, body: StartImport) {
    const known = await findServersOf(transaction, row.id, row.filename);
    if (body.into != null && known.length > 1 && body.servers?.length !== 1)
      throw invalidInput(errorTexts.import_server_needed);
    if (body.servers == null) return null;
    return body.servers.flatMap((name) => {
      const found = known.filter((server) => server.name === name || server.id === name);
      if (found.length === 0) throw invalidInput(errorTexts.import_server_unknown(name));
      return found.map(({ id }) => id);
    });
  }
}

export type ImportService = ReturnType<typeof createImportService>;
