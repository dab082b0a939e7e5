import { execFile, spawn } from "node:child_process";
import { promisify } from "node:util";
import { Refusal } from "../refusal.js";

/** An account of the operating system. */
export interface SystemUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

const execute = promisify(execFile);

/**
 * The account that PostgreSQL runs as: undefined means our own. PostgreSQL refuses to run as root, so root uses the
 * account `postgres`, which is created when the system has none.
 */
export async function findPostgresUser(): Promise<SystemUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const existing = await lookUp("postgres");
  if (existing !== null) return existing;
  await execute("useradd", ["--system", "--user-group", "--no-create-home", "--shell", "/bin/false", "postgres"]).catch(
    () => undefined,
  );
  const created = await lookUp("postgres");
  if (created !== null) return created;
  throw new Refusal(
    "PostgreSQL does not run as root and the account postgres could not be created: create it with `useradd --system postgres`, start as another user, or set DATABASE_URL.",
  );
}

/** Whether the user may read (`r`) or execute or enter (`x`) the path, every folder above it included. */
export function canReach(path: string, access: "r" | "x", user: SystemUser): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn("/bin/sh", ["-c", `test -${access} "$0"`, path], {
      uid: user.uid,
      gid: user.gid,
      stdio: "ignore",
      cwd: "/",
    });
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
  });
}

async function lookUp(name: string): Promise<SystemUser | null> {
  const ids = await Promise.all(
    ["-u", "-g"].map((flag) =>
      execute("id", [flag, name]).then(
        ({ stdout }) => Number.parseInt(stdout, 10),
        () => Number.NaN,
      ),
    ),
  );
  const [uid = Number.NaN, gid = Number.NaN] = ids;
  return Number.isNaN(uid) || Number.isNaN(gid) ? null : { name, uid, gid };
}
