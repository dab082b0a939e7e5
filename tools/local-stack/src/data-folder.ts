import { createHash, randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { access, chmod, chown, lstat, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { Refusal, reasonOf, systemErrorCode } from "./refusal.js";
import { canReach, findPostgresUser } from "./servers/postgres-user.js";

/** The folders of a local stack's lasting data. */
export interface DataFolder {
  readonly lockFile: string;
  readonly postgres: string;
  readonly redis: string;
  readonly nats: string;
  readonly uploads: string;
  /** The output of PostgreSQL, Redis and NATS during the present run. */
  readonly logs: string;
}

/** Creates the folder and its parts; throws a Refusal when it cannot be written. */
export async function openDataFolder(path: string): Promise<DataFolder> {
  const folder: DataFolder = {
    lockFile: join(path, "lock"),
    postgres: join(path, "postgres"),
    redis: join(path, "redis"),
    nats: join(path, "nats"),
    uploads: join(path, "uploads"),
    logs: join(path, "logs"),
  };
  try {
    await mkdir(path, { recursive: true });
    await access(path, constants.W_OK | constants.X_OK);
    // The account that PostgreSQL runs as must pass through; private folders below have their own mode.
    await chmod(path, 0o711);
    for (const part of [folder.redis, folder.nats, folder.uploads, folder.logs]) {
      await mkdir(part, { recursive: true });
      await chmod(part, 0o700);
    }
  } catch (error) {
    throw new Refusal(
      `The data folder ${path} cannot be written (${systemErrorCode(error) ?? reasonOf(error)}): make it writable, or choose another one with PARLEY_DATA_DIR.`,
    );
  }
  return folder;
}

/**
 * Makes sure that the account which PostgreSQL runs as can reach its folder, and returns where the cluster is. Below a
 * closed home (root's is 0700) it cannot; the cluster then lives in /var/lib, and the data folder has a link to it.
 */
export async function placePostgres(folder: DataFolder): Promise<string> {
  const user = await findPostgresUser();
  const parent = join(folder.postgres, "..");
  if (user === undefined || (await canReach(parent, "x", user))) return folder.postgres;

  const name = createHash("sha256").update(folder.postgres).digest("hex").slice(0, 16);
  const home = join("/var/lib/parley", name);
  const linked = await lstat(folder.postgres).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
  // Without the link the data folder was deleted, and its secrets with it: the cluster belongs to nothing any more.
  if (!linked) await rm(home, { recursive: true, force: true });
  await mkdir(home, { recursive: true });
  await chown(home, user.uid, user.gid);
  if (!linked) await symlink(join(home, "postgres"), folder.postgres);
  return join(home, "postgres");
}

const Secrets = z.object({ jwtSecret: z.string().min(32), postgresPassword: z.string().min(16) });

/** Secrets of one local stack, made once. */
export type Secrets = z.infer<typeof Secrets>;

/** Reads the secrets of a data folder, or makes them; the file is the owner's alone. */
export async function openSecrets(path: string): Promise<Secrets> {
  const file = join(path, "secrets.json");
  const text = await readFile(file, "utf8").catch(() => null);
  if (text !== null) {
    const secrets = parseSecrets(text);
    if (secrets !== null) return secrets;
    throw new Refusal(`${file} is damaged: restore it, or delete the whole folder ${path} to start afresh.`);
  }
  const made: Secrets = {
    jwtSecret: randomBytes(48).toString("base64url"),
    postgresPassword: randomBytes(24).toString("base64url"),
  };
  await writeFile(file, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  return made;
}

function parseSecrets(text: string): Secrets | null {
  try {
    return Secrets.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
