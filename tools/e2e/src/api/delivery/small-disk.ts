import { execFileSync } from "node:child_process";
import { appendFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { freshFolder } from "@parley/testing";

/** A file system in memory that is soon full. */
export interface SmallDisk {
  readonly folder: string;
  readonly unmount: () => void;
}

/** Null where this process may not mount one. */
export async function mountSmallDisk(size: string): Promise<SmallDisk | null> {
  const folder = freshFolder("small-disk");
  await mkdir(folder, { recursive: true });
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size},mode=755`, "tmpfs", folder], { stdio: "ignore" });
  } catch {
    return null;
  }
  return { folder, unmount: () => void execFileSync("umount", ["--lazy", folder]) };
}

/** @returns the file that takes all the room that is left */
export async function fillDisk({ folder }: SmallDisk): Promise<string> {
  const file = join(folder, "filler");
  for (const bytes of [64 * 1024, 512]) {
    const isFull = appendAll(file, Buffer.alloc(bytes)).catch((error: unknown) => {
      if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
    });
    await isFull;
  }
  return file;
}

/** @throws when there is no room */
async function appendAll(file: string, block: Buffer): Promise<never> {
  for (;;) await appendFile(file, block);
}
