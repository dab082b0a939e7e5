import { execFile } from "node:child_process";
import { cp, mkdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

/** Copies what git would commit, and nothing that an install or a build has made. */
export async function copyRepository(root: string, target: string): Promise<void> {
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { stdout } = await promisify(execFile)("git", list, { cwd: root, maxBuffer: 16 * 1024 * 1024 });
  for (const file of stdout.split("\0")) {
    // A file that is deleted but not yet committed is still listed.
    if (file === "" || !(await exists(join(root, file)))) continue;
    await mkdir(dirname(join(target, file)), { recursive: true });
    await cp(join(root, file), join(target, file));
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
