import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..", "..", "..", "..");
const directories = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin"];

/** A program that only tests of the deployment need, and the Debian package that has it. */
export interface DebianProgram {
  readonly name: string;
  readonly debianPackage: string;
  /** Where the package has it. */
  readonly path: string;
}

export const nginxProgram: DebianProgram = { name: "nginx", debianPackage: "nginx", path: "usr/sbin/nginx" };
export const kubectlProgram: DebianProgram = {
  name: "kubectl",
  debianPackage: "kubernetes-client",
  path: "usr/bin/kubectl",
};

export const shellcheckProgram: DebianProgram = {
  name: "shellcheck",
  debianPackage: "shellcheck",
  path: "usr/bin/shellcheck",
};
export const promtoolProgram: DebianProgram = {
  name: "promtool",
  debianPackage: "prometheus",
  path: "usr/bin/promtool",
};
export const amtoolProgram: DebianProgram = {
  name: "amtool",
  debianPackage: "prometheus-alertmanager",
  path: "usr/bin/amtool",
};
export const blackboxProgram: DebianProgram = {
  name: "prometheus-blackbox-exporter",
  debianPackage: "prometheus-blackbox-exporter",
  path: "usr/bin/prometheus-blackbox-exporter",
};

/**
 * The path of a program: the machine's, else one from its Debian package, which is unpacked (not installed: no service
 * starts, no rights are needed) below node_modules. Where neither works the tests that need it are to be skipped: says so
 * in one line and returns null, but throws under CI, where they have to run.
 */
export async function provideProgram(program: DebianProgram): Promise<string | null> {
  for (const directory of directories) {
    const candidate = join(directory, program.name);
    if (directory !== "" && (await isExecutable(candidate))) return candidate;
  }
  const folder = join(root, "node_modules", ".cache", "parley-programs", program.debianPackage);
  const unpacked = join(folder, program.path);
  if (await isExecutable(unpacked)) return unpacked;
  try {
    await unpack(program, folder);
    return unpacked;
  } catch (error) {
    const line = `${program.name} is missing: tests that need it are skipped; install ${program.debianPackage}`;
    if (process.env.CI !== undefined) throw new Error(line, { cause: error });
    process.stdout.write(`${line}\n`);
    return null;
  }
}

async function unpack({ debianPackage }: DebianProgram, folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  // Put in place in one step, because another test file may want the same program at the same time.
  const work = await mkdtemp(`${folder}-`);
  try {
    const download = () => run("apt-get", ["-q", "download", debianPackage], { cwd: work });
    // Fresh images have no package lists; fetching them needs root.
    await download().catch(async () => {
      await run("apt-get", ["-q", "update"]);
      await download();
    });
    const [archive = ""] = await readdir(work);
    await run("dpkg", ["-x", archive, "files"], { cwd: work });
    await rename(join(work, "files"), folder).catch(async (error: unknown) => {
      if (!(await isDirectory(folder))) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
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
