/** Keeps the position of a program in the events of the server while the program does not run. */
export interface PositionStore {
  /** The position that was written last; null before the first. */
  read(): Promise<string | null> | string | null;
  /** Replaces the stored position, atomically: a program that is killed meanwhile leaves the old or the new one. */
  write(position: string): Promise<void> | void;
}

/**
 * Keeps the position in a file, in Node.js. The file has either the former position or the new one, also after a loss of
 * power. One process at a time may use it.
 */
export function createFileStore(path: string): PositionStore {
  // Not imported, as bundlers for browsers would try to resolve it.
  const files = globalThis.process?.getBuiltinModule?.("node:fs/promises");
  if (files === undefined) throw new Error("There are no files here: pass a store of your own with read and write.");
  const next = `${path}.next`;
  return {
    async read() {
      try {
        return (await files.readFile(path, "utf8")).trim() || null;
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
        throw error;
      }
    },
    async write(position) {
      await files.writeFile(next, `${position}\n`, { flush: true });
      await files.rename(next, path);
    },
  };
}
