import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { runContext } from "@parley/testing";
import { copyRepository } from "../deploy/repository-copy.js";
import type { Installation } from "./installation.js";

const run = promisify(execFile);

/** The sources of two versions; the later one has a migration more. */
export interface Versions {
  /** Folders with a docker-compose.yml each. */
  readonly before: string;
  readonly after: string;
  /** Which they are, in words. */
  readonly what: string;
}

/**
 * The commit before the one that added the newest migration, and this checkout. Without that history: this checkout, and a copy of
 * it with an additive migration of its own.
 */
export async function findVersions(): Promise<Versions> {
  const { root, folder } = runContext();
  const target = await mkdtemp(join(folder, "version-"));
  const commit = await commitBeforeNewestMigration(root);
  if (commit !== null) {
    const archive = `${target}.tar`;
    await run("git", ["archive", "--output", archive, commit], { cwd: root });
    await run("tar", ["-xf", archive, "-C", target]);
    return { before: target, after: root, what: `from commit ${commit.slice(0, 7)}` };
  }
  await copyRepository(root, target);
  await addMigration(
    join(target, "prisma", "migrations"),
    "CREATE TABLE added_by_the_upgrade (id uuid PRIMARY KEY);\n",
  );
  return { before: root, after: target, what: "without history, over a migration that is made up" };
}

/** Adds a migration after the newest one; returns its name. */
export async function addMigration(migrations: string, sql: string): Promise<string> {
  const names = (await readdir(migrations)).filter((name) => /^\d{14}_/.test(name)).toSorted();
  const name = `${Number(names.at(-1)?.slice(0, 14) ?? 0) + 1}_added`;
  await mkdir(join(migrations, name), { recursive: true });
  await writeFile(join(migrations, name, "migration.sql"), sql);
  return name;
}

/**
 * Makes an image from another one of this installation: `lines` follow its FROM, `folder` has the files that they may
 * copy.
 */
export async function deriveImage(
  { docker }: Installation,
  { from, to, lines, folder }: { from: string; to: string; lines: readonly string[]; folder?: string },
): Promise<void> {
  const context = folder ?? (await mkdtemp(join(runContext().folder, "image-")));
  const file = join(await mkdtemp(join(runContext().folder, "dockerfile-")), "Dockerfile");
  await writeFile(file, [`FROM ${from}`, ...lines, ""].join("\n"));
  await docker(["build", "--quiet", "--file", file, "--tag", to, context]);
}

async function commitBeforeNewestMigration(root: string): Promise<string | null> {
  const git = async (...args: string[]) => (await run("git", args, { cwd: root })).stdout.trim();
  try {
    const added = await git("log", "--diff-filter=A", "-1", "--format=%H", "--", "prisma/migrations/*/migration.sql");
    // In a shallow clone the oldest commit seems to add everything.
    return await git("rev-parse", "--verify", "--quiet", `${added}^`);
  } catch {
    return null;
  }
}
