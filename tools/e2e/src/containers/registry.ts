import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findFreePort, startProcess } from "@parley/local-stack";
import { runContext, waitUntil } from "@parley/testing";
import { type Program, provideProgram } from "../deploy/debian-program.js";

const registryProgram: Program = {
  name: "docker-registry",
  packageName: "docker-registry",
  path: "usr/bin/docker-registry",
};

/** A registry of images on this machine. */
export interface Registry {
  /** host:port, which Docker uses without TLS as it is a loopback address. */
  readonly host: string;
  readonly stop: () => Promise<unknown>;
}

/** Starts an empty registry, Debian's docker-registry, that goes with the run. */
export async function startRegistry(): Promise<Registry> {
  const program = await provideProgram(registryProgram);
  if (program === null) throw new Error("docker-registry cannot be had from Debian");
  const folder = await mkdtemp(join(runContext().folder, "registry-"));
  await mkdir(join(folder, "images"));
  const host = `127.0.0.1:${await findFreePort()}`;
  const settings = `version: 0.1
log: { level: error, accesslog: { disabled: true } }
storage: { filesystem: { rootdirectory: ${join(folder, "images")} } }
http: { addr: "${host}" }
`;
  await writeFile(join(folder, "config.yml"), settings);
  const registry = await startProcess({
    name: "registry",
    command: program,
    args: ["serve", join(folder, "config.yml")],
    env: { PATH: process.env.PATH },
  });
  await waitUntil(() => !registry.running() || fetch(`http://${host}/v2/`).then(({ status }) => status === 200), {
    what: "the registry",
  });
  if (!registry.running()) throw new Error(`the registry did not start:\n${registry.lastLines().join("\n")}`);
  return { host, stop: () => registry.stop() };
}
