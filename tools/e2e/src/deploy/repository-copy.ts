import { execFile } from "node:child_process";
import { cp, mkdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Copies the files that git would commit, and nothing that an install or a build has made. The copy is committed to a
 * repository of its own: without one turbo would take installed packages for sources and never find a build that it has
 * made before.
 */
export async function copyRepository(root: string, target: string): Promise<void> {
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { stdout } = await run("git", list, { cwd: root, maxBuffer: 16 * 1024 * 1024 });
  for (const file of stdout.split("\0")) {
    // A file that is deleted but not yet committed is still listed.
    if (file === "" || !(await exists(join(root, file)))) continue;
    await mkdir(dirname(join(target, file)), { recursive: true });
    await cp(join(root, file), join(target, file));
  }
  const git = (...args: string[]) =>
    run("git", ["-c", "user.name=test", "-c", "user.email=test@localhost", ...args], { cwd: target });
  await git("init", "--quiet");
  await git("add", "--all");
  await git("commit", "--quiet", "--no-verify", "--message", "copy");
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
