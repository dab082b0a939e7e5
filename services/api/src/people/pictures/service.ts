import { createHash, randomUUID } from "node:crypto";
import {
  errorTexts,
  notFound,
  type PictureShape,
  type PictureSize,
  pictureAddress,
  pictureHashPattern,
  pictureSizes,
  ServiceError,
} from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import { Counter, type Registry } from "prom-client";
import { animatedBytesMax, pictureTurns } from "../../platform/files/pictures/limits.js";
import { readPicture, readPictureForm, type SentPicture } from "../../platform/files/pictures/read-form.js";
import { runScaler, type ScalerOutcome } from "../../platform/files/pictures/run-scaler.js";
import type { ChargedTo, Reservations } from "../../platform/files/quotas/reservations.js";
import type { StoredBytes } from "../../platform/files/send-stored.js";
import type { DeleteFiles } from "../../platform/files/storage/delete-files.js";
import { pictureKey, pictureKeys } from "../../platform/files/storage/keys.js";
import type { FileStorage } from "../../platform/files/storage/storage.js";
import type { MultipartForm } from "../../platform/http/multipart.js";
import { FairQueue } from "../../platform/load/fair-queue.js";
import { findPicture, keepPicture, type PictureRow } from "./repository.js";

const pictureType = "image/webp";

/** An uploaded picture whose files are stored and that nobody has yet. */
export interface NewPicture {
  /** The new `avatar_url` or `icon_url`. */
  readonly url: string;
  /** Stores its row; to be called in the transaction that sets the address. */
  keep(transaction: Transaction): Promise<void>;
}

export function createPictures(options: {
  database: Database;
  storage: FileStorage;
  deleteFiles: DeleteFiles;
  reservations: Reservations;
  registry: Registry;
}) {
  const { database, storage, deleteFiles, reservations, registry } = options;
  const turns = new FairQueue(pictureTurns);
  const outcomes = new Counter({
    name: "pictures_total",
    help: "Uploaded pictures by how their scaling ended: scaled, unreadable, or ended for what it took",
    labelNames: ["outcome"],
    registers: [registry],
  });

  const scale = ({ file, size }: SentPicture, shape: PictureShape) => {
    const onEnd = (outcome: ScalerOutcome) => outcomes.inc({ outcome });
    return runScaler(file, { mayMove: size <= animatedBytesMax, shape, onEnd });
  };

  const scaled = async (
    userId: string,
    sent: SentPicture,
    { signal, shape = "square" }: { signal: AbortSignal; shape?: PictureShape | undefined },
  ): Promise<Buffer[]> => {
    try {
      return await turns.run(userId, () => scale(sent, shape), signal);
    } finally {
      await sent.file.close();
    }
  };

  /** Stores the sizes of a picture, then runs `use` to assign it. */
  const keepSizes = async <Result>(
    images: Buffer[],
    to: ChargedTo,
    use: (picture: NewPicture) => Promise<Result>,
  ): Promise<Result> => {
    const row = toRow(images);
    const own = pictureKeys(row);
    const length = images.reduce((sum, image) => sum + image.length, 0);
    const room = reservations.open(to, length);
    let isKept = false;
    const keep = async (transaction: Transaction) => {
      isKept = (await keepPicture(transaction, row)).upload_id === row.upload_id;
    };
    try {
      await room.take(length);
      for (const [index, key] of own.entries()) await storage.put(key, images.slice(index, index + 1));
      const result = await use({ url: pictureAddress(row.hash), keep });
      // Somebody has the same picture already.
      if (!isKept) await deleteFiles(own);
      return result;
    } catch (error) {
      // Otherwise the transaction may have been committed.
      if (error instanceof ServiceError) await deleteFiles(own);
      throw error;
    } finally {
      await room.end();
    }
  };

  return {
    /**
     * Reads, scales and stores an uploaded picture, then runs `use` to assign it.
     *
     * @param userId the sender, whose turn it takes
     * @param sent.signal ends the waiting for the turn
     * @param sent.shape what it is cut to; a square where left out
     * @param sent.to what the picture counts for
     * @param use assigns it to its owner, in a transaction
     * @throws ServiceError 400 of docs/protocol/communities.md#28.5, 429 when too many wait, 503 when the storage
     * fails; or the error of `use`
     */
    async upload<Result>(
      userId: string,
      {
        form,
        to = "installation",
        ...how
      }: { form: MultipartForm; signal: AbortSignal; shape?: PictureShape; to?: ChargedTo },
      use: (picture: NewPicture) => Promise<Result>,
    ): Promise<Result> {
      const images = await scaled(userId, await readPictureForm(form), how);
      return keepSizes(images, to, use);
    },

    /** The same for a picture that no form brings. */
    async store<Result>(
      userId: string,
      { content, signal }: { content: AsyncIterable<Uint8Array>; signal: AbortSignal },
      use: (picture: NewPicture) => Promise<Result>,
    ): Promise<Result> {
      return keepSizes(await scaled(userId, await readPicture(content), { signal }), "installation", use);
    },

    /** One size of a picture; public. */
    async find(hash: string, size: PictureSize): Promise<StoredBytes> {
      const row = pictureHashPattern.test(hash) ? await findPicture(database, hash) : null;
      if (row === null) throw notFound(errorTexts.picture_not_found);
      return { key: pictureKey(row, size), size: row[`bytes_${size}`], mimeType: pictureType };
    },
  };
}

/** The same bytes have the same hash, so an address shows the same picture for ever. */
function toRow(images: readonly Buffer[]): PictureRow {
  const [bytes_512 = 0, bytes_128 = 0, bytes_64 = 0] = pictureSizes.map((_, index) => images[index]?.length);
  const hash = createHash("sha256");
  for (const image of images) hash.update(`${image.length}:`).update(image);
  return { hash: hash.digest("hex"), upload_id: randomUUID(), bytes_512, bytes_128, bytes_64 };
}

/** Uploaded pictures (docs/protocol/communities.md#28.5). */
export type Pictures = ReturnType<typeof createPictures>;
