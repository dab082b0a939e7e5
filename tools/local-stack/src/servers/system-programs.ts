import { spawn } from "node:child_process";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { Refusal } from "../refusal.js";

/** The programs that do not come as npm packages: the packages that bring them, and other names they may have. */
const packages = {
  "redis-server": { apt: "redis-server", brew: "redis", names: ["redis-server"] },
  "nats-server": { apt: "nats-server", brew: "nats-server", names: ["nats-server"] },
  chromium: { apt: "chromium", brew: "chromium", names: ["chromium", "google-chrome"] },
  // Chromium without its windows: half the processor time. Not every system has it apart.
  "chromium-headless-shell": {
    apt: "chromium-headless-shell",
    brew: "chromium",
    names: ["chromium-headless-shell", "chromium", "google-chrome"],
  },
  firefox: { apt: "firefox-esr", brew: "firefox", names: ["firefox-esr", "firefox"] },
} as const;
export type SystemProgram = keyof typeof packages;

/** The full path of a program; throws a Refusal with the one command that installs it when it is missing. */
export async function findSystemProgram(program: SystemProgram): Promise<string> {
  const found = await findByAnyName(program);
  if (found === null) throw refusal([program]);
  return found;
}

async function findByAnyName(program: SystemProgram): Promise<string | null> {
  for (const name of packages[program].names) {
    const found = await findBinary(name);
    if (found !== null) return found;
  }
  return null;
}

/**
 * Installs missing programs: with apt-get as root or with a sudo that needs no password, otherwise with brew. Calls
 * `onInstall` with one sentence before. Throws a {@link Refusal} with the command to run when neither is possible.
 */
export async function installMissingPrograms(
  wanted: readonly SystemProgram[],
  onInstall: (sentence: string) => void = () => undefined,
): Promise<void> {
  const missing: SystemProgram[] = [];
  for (const program of wanted) if ((await findByAnyName(program)) === null) missing.push(program);
  if (missing.length === 0) return;

  const apt = await findBinary("apt-get");
  const asRoot = apt === null ? null : await rootPrefix();
  const brew = await findBinary("brew");
  if (apt !== null && asRoot !== null) {
    onInstall(`Installing ${missing.join(" and ")} with apt-get …`);
    if (await installWithApt([...asRoot, apt, "-q", "-o", "DPkg::Lock::Timeout=60"], missing)) return;
    throw refusal(missing, ", and apt-get failed");
  }
  if (brew !== null) {
    onInstall(`Installing ${missing.join(" and ")} with brew …`);
    if (await run([brew, "install", ...missing.map((program) => packages[program].brew)])) return;
    throw refusal(missing, ", and brew failed");
  }
  throw refusal(missing);
}

/**
 * Fetches the package lists before: fresh images have none, or such as name versions of long ago, which a browser's
 * driver does not know. Where they cannot be fetched, those that are there may do.
 */
async function installWithApt(apt: string[], missing: readonly SystemProgram[]): Promise<boolean> {
  await run([...apt, "update"]);
  return run([...apt, "install", "-y", "--no-install-recommends", ...missing.map((name) => packages[name].apt)]);
}

function refusal(missing: readonly SystemProgram[], butCannot = ""): Refusal {
  const [are, them] = missing.length === 1 ? ["is", "it"] : ["are", "them"];
  const command =
    process.platform === "darwin"
      ? ["brew install", ...missing.map((program) => packages[program].brew)]
      : ["sudo apt-get install -y", ...missing.map((program) => packages[program].apt)];
  return new Refusal(
    `${missing.join(" and ")} ${are} missing${butCannot}: install ${them} with \`${command.join(" ")}\` and start again.`,
  );
}

/** The words before a command that needs root: none, sudo, or null when we cannot become root unasked. */
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

/** Where distributions put servers although a normal user's PATH leaves it out. */
const extraDirectories = ["/usr/sbin", "/usr/local/sbin", "/usr/local/bin", "/opt/homebrew/bin", "/usr/bin"];

/** The full path of a program, or null. */
async function findBinary(name: string): Promise<string | null> {
  const directories = [...(process.env.PATH ?? "").split(delimiter), ...extraDirectories];
  for (const directory of directories) {
    if (directory === "") continue;
    const candidate = join(directory, name);
    const executable = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (executable) return candidate;
  }
  return null;
}
