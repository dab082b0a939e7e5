import { ArchiveError } from "../archive.js";

const magic = 0x8199e26d;

/** @throws ArchiveError when the bytes begin a `mongodump --archive`, which is one file instead of a folder */
export function checkMongoArchive(beginning: Buffer): void {
  if (beginning.length >= 4 && beginning.readUInt32LE(0) === magic) {
    throw new ArchiveError("This dump was made with --archive. Make it anew with --out, and pack that folder.");
  }
}
