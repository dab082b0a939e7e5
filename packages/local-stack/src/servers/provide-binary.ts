import { spawn } from "node:child_process";
import { Refusal } from "../refusal.js";
import { findBinary } from "./find-binary.js";

/** A server program that does not come as an npm package, and the packages that bring it. */
export interface ServerBinary {
  readonly program: string;
  readonly aptName: string;
  readonly brewName: string;
}

/** Told in one sentence before something is installed. */
export type OnInstall = (sentence: string) => void;

let indexUpdated = false;

/**
 * The full path of a server program. A missing one is installed: with apt-get as root or with a sudo that asks nothing,
 * else with brew. Throws a Refusal that names the one command to run when neither works.
 */
export async function provideBinary(wanted: ServerBinary, onInstall: OnInstall = () => undefined): Promise<string> {
  const found = await findBinary(wanted.program);
  if (found !== null) return found;
  await install(wanted, onInstall);
  const installed = await findBinary(wanted.program);
  if (installed !== null) return installed;
  throw refusal(wanted, "was installed, yet is not on the PATH");
}

async function install(wanted: ServerBinary, onInstall: OnInstall): Promise<void> {
  const apt = await findBinary("apt-get");
  const prefix = apt === null ? null : await rootPrefix();
  if (apt !== null && prefix !== null) {
    onInstall(`Installing ${wanted.aptName} with apt-get …`);
    if (!indexUpdated) await run([...prefix, apt, "update", "-q"]);
    indexUpdated = true;
    if (await run([...prefix, apt, "install", "-y", "-q", "--no-install-recommends", wanted.aptName])) return;
    throw refusal(wanted, "is missing and apt-get could not install it");
  }
  const brew = await findBinary("brew");
  if (brew !== null) {
    onInstall(`Installing ${wanted.brewName} with brew …`);
    if (await run([brew, "install", wanted.brewName])) return;
    throw refusal(wanted, "is missing and brew could not install it");
  }
  throw refusal(wanted, "is missing");
}

function refusal(wanted: ServerBinary, why: string): Refusal {
  const command =
    process.platform === "darwin" ? `brew install ${wanted.brewName}` : `sudo apt-get install -y ${wanted.aptName}`;
  return new Refusal(`${wanted.program} ${why}: install it with \`${command}\` and start again.`);
}

/** What to put before a command that needs root: nothing, sudo, or null when we cannot become root unasked. */
async function rootPrefix(): Promise<string[] | null> {
  if (process.getuid?.() === 0) return [];
  const sudo = await findBinary("sudo");
  if (sudo === null) return null;
  return (await run([sudo, "-n", "true"])) ? [sudo, "-n", "env", "DEBIAN_FRONTEND=noninteractive"] : null;
}

function run([command = "", ...args]: string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: "ignore",
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
  });
}
