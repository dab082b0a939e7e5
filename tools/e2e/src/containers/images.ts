import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { runContext } from "@parley/testing";
import type { Installation } from "./installation.js";

const run = promisify(execFile);
const services = ["api", "gateway", "automod", "webhook-dispatcher", "discord"];

/**
 * Makes the images of an installation by deploy/Dockerfile from the build of this checkout, instead of building it once
 * more in a container, which takes minutes (installation.test.ts and release.test.ts do).
 *
 * @param versions each gets images that differ from the others by their version alone
 */
export async function makeImages({ env }: Installation, versions: readonly string[]): Promise<void> {
  const { root, folder } = runContext();
  const made = await mkdtemp(join(folder, "images-"));
  const assemble = async (name: string) => {
    const out = join(made, name, "out");
    await mkdir(out, { recursive: true });
    await run(join(root, "deploy", "image", "assemble.sh"), [name, out], { cwd: root, maxBuffer: 2 ** 26 });
  };
  for (const name of [...services, "database"]) await assemble(name);
  const page = join("packages", "web", "dist");
  await cp(join(root, page), join(made, "web", "src", page), { recursive: true });

  for (const version of versions) {
    const build = async (image: string, context: string, options: readonly string[]) => {
      const tag = `${env.PARLEY_IMAGES}/${image}:${version}`;
      const stage = ["--build-context", context, "--build-arg", `PARLEY_VERSION=${version}`, ...options];
      const how = ["--quiet", "--provenance=false", "--load", "--file", join(root, "deploy", "Dockerfile")];
      await run("docker", ["buildx", "build", ...how, ...stage, "--tag", tag, root], { env, maxBuffer: 2 ** 26 });
    };
    for (const name of services) {
      const options = ["--target", "service", "--build-arg", `SERVICE=${name}`];
      await build(name, `assemble-service=${join(made, name)}`, options);
    }
    await build("migrate", `assemble-migrate=${join(made, "database")}`, ["--target", "migrate"]);
    await build("edge", `build=${join(made, "web")}`, ["--target", "edge"]);
  }
  await rm(made, { recursive: true });
}
