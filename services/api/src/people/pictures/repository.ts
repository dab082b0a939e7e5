import { pictureAddress } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";
import type { PicturePlace } from "../../platform/files/storage/keys.js";

/** A row of the table `pictures`. */
export interface PictureRow extends PicturePlace {
  bytes_512: number;
  bytes_128: number;
  bytes_64: number;
}

const place = z.object({ hash: z.string(), upload_id: z.string() });

/**
 * The row is locked until the caller's transaction ends: a process that finds it unused waits, and then finds it used.
 */
const keepStatement = defineStatement({
  name: "picture_keep",
  text: `INSERT INTO pictures (hash, upload_id, bytes_512, bytes_128, bytes_64) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (hash) DO UPDATE SET kept_at = now() RETURNING hash, upload_id`,
  row: place,
});

/**
 * Stores a picture in the transaction that makes somebody have it.
 *
 * @returns where its files are: those of an earlier upload of the same picture, if there was one
 */
export async function keepPicture(transaction: Transaction, row: PictureRow): Promise<PicturePlace> {
  const { hash, upload_id, bytes_512, bytes_128, bytes_64 } = row;
  const [kept] = await transaction.query(keepStatement, [hash, upload_id, bytes_512, bytes_128, bytes_64]);
  if (kept === undefined) throw new Error("PostgreSQL returned no picture");
  return kept;
}

export function findPicture({ prisma }: Queryable, hash: string): Promise<PictureRow | null> {
  return prisma.picture.findUnique({ where: { hash } });
}

/** Takes some of the pictures that were given up; entries that another process is at are left to it. */
const takeReleasedStatement = defineStatement({
  name: "picture_released",
  text: `DELETE FROM released_pictures WHERE id IN (
      SELECT id FROM released_pictures ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED)
    RETURNING hash`,
  row: z.object({ hash: z.string() }),
});

/** Waits for transactions that keep one of them, so that the next statement sees its new owners. */
const lockStatement = defineStatement({
  name: "picture_lock",
  text: "SELECT hash FROM pictures WHERE hash = ANY($1) ORDER BY hash FOR UPDATE",
  row: z.object({ hash: z.string() }),
});

const named = (table: string, column: string) =>
  // The second condition is that of the index.
  `EXISTS (SELECT FROM ${table} WHERE ${column} = '${pictureAddress("")}' || p.hash AND ${column} LIKE '${pictureAddress("%")}')`;

const deleteUnusedStatement = defineStatement({
  name: "picture_delete_unused",
  text: `DELETE FROM pictures p WHERE p.hash = ANY($1)
      AND NOT ${named("users", "avatar_url")} AND NOT ${named("servers", "icon_url")} AND NOT ${named("servers", "banner_url")}
      AND NOT ${named("dm_channels", "icon_url")} AND NOT ${named("instance_settings", "logo_url")}
    RETURNING hash, upload_id`,
  row: place,
});

/**
 * Deletes pictures that were given up and that nobody has any more.
 *
 * @returns where their files are; null when nothing was given up
 */
export async function deleteUnusedPictures(transaction: Transaction, size: number): Promise<PicturePlace[] | null> {
  const released = await transaction.query(takeReleasedStatement, [size]);
  if (released.length === 0) return null;
  const locked = await transaction.query(lockStatement, [[...new Set(released.map(({ hash }) => hash))]]);
  return transaction.query(deleteUnusedStatement, [locked.map(({ hash }) => hash)]);
}
