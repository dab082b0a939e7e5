import type { Dirent } from "node:fs";
import { access, constants, mkdir, open, opendir, rmdir, stat, unlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { counted } from "./buffer-garbage.js";
import { isSystemError, storageUnavailable } from "./failure.js";
import type { FileStorage, StoredFile } from "./storage.js";

/** Attempts to create a file whose folder vanishes meanwhile. */
const folderAttemptsMax = 10;

/**
 * Keeps files in a directory; several processes may share it.
 *
 * @param directory created when missing
 * @throws Error with one sentence for the operator when the directory cannot be used
 */
export async function openLocalStorage({ directory }: { directory: string }): Promise<FileStorage> {
  const root = resolve(directory);
  try {
    await mkdir(root, { recursive: true });
    await access(root, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Error(`UPLOAD_DIR ${root} cannot be written to`, { cause: error });
  }
  const pathOf = (key: string) => join(root, ...key.split("/"));

  return {
    async put(key, content) {
      const path = pathOf(key);
      try {
        const file = await create(path);
        try {
          await writeFile(file, counted(content));
          await file.sync();
        } finally {
          await file.close();
        }
      } catch (error) {
        await remove(path);
        throw isSystemError(error) ? storageUnavailable(error) : error;
      }
    },

    async get(key, range) {
      try {
        const file = await open(pathOf(key), "r");
        return file.createReadStream(range);
      } catch (error) {
        if (isSystemError(error, "ENOENT", "ENOTDIR")) return null;
        throw storageUnavailable(error);
      }
    },

    delete: (key) => remove(pathOf(key)),
    list: (folder) => walk(root, folder),
    close: () => undefined,
  };
}

async function create(path: string) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await mkdir(dirname(path), { recursive: true });
      return await open(path, "wx");
    } catch (error) {
      // A concurrent removal of the folder's last file has removed the folder as well.
      if (attempt === folderAttemptsMax || !isSystemError(error, "ENOENT")) throw error;
    }
  }
}

/** Removes a file and then its folder if that is empty: there is one per message, and they would pile up. */
async function remove(path: string): Promise<void> {
  try {
    await unlink(path);
    await rmdir(dirname(path));
  } catch (error) {
    if (!isSystemError(error, "ENOENT", "ENOTDIR", "ENOTEMPTY", "EEXIST", "EBUSY")) throw storageUnavailable(error);
  }
}

async function* walk(root: string, folder: string): AsyncGenerator<StoredFile> {
  for await (const entry of entriesOf(join(root, folder))) {
    const key = `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      yield* walk(root, key);
    } else if (entry.isFile()) {
      const modifiedAt = await readModifiedAt(join(root, key));
      if (modifiedAt !== null) yield { key, modifiedAt };
    }
  }
}

/** Other processes create and remove files during the listing: an entry that no longer exists is skipped. */
async function* entriesOf(path: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(path);
  } catch (error) {
    if (!isSystemError(error, "ENOENT")) throw error;
  }
}

async function readModifiedAt(path: string): Promise<Date | null> {
  try {
    return (await stat(path)).mtime;
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return null;
    throw error;
  }
}
