import { randomBytes } from "node:crypto";
import { chmod, mkdir, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const prefix = "parley-test-";

/**
 * Creates the folder of one test run. Its name carries the pid of the run, so that the next run recognises and removes
 * the folder of a killed run.
 */
export async function createRunFolder(): Promise<string> {
  await removeAbandonedFolders();
  const folder = join(tmpdir(), `${prefix}${process.pid}-${randomBytes(4).toString("hex")}`);
  await mkdir(folder);
  // The account that PostgreSQL runs as must get through, whatever the umask.
  await chmod(folder, 0o755);
  return folder;
}

async function removeAbandonedFolders(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = new RegExp(`^${prefix}(\\d+)-[0-9a-f]{8}$`).exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    await rm(join(tmpdir(), name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
