import { execFile, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { findFreePort } from "@parley/local-stack";
import { runContext, waitUntil } from "@parley/testing";
import { z } from "zod";

const run = promisify(execFile);

const Container = z.object({
  ID: z.string(),
  Service: z.string(),
  Image: z.string(),
  Health: z.string(),
  ExitCode: z.int(),
});
type Container = z.infer<typeof Container>;

/** An installation by docker-compose.yml with a project name, a port, secrets, images and volumes of its own. */
export interface Installation {
  /** The edge. */
  readonly url: string;
  /** Its .env. */
  readonly settings: string;
  /** The environment of the installation's administrator. */
  readonly env: NodeJS.ProcessEnv;
  /** Runs `docker compose <args>`; `settings` come before those of the .env file. */
  readonly compose: (args: readonly string[], settings?: Record<string, string>) => Promise<string>;
  /** Runs `docker <args>`. */
  readonly docker: (args: readonly string[]) => Promise<string>;
  /** Waits until the last check of health of every container has passed. */
  readonly untilHealthy: () => Promise<unknown>;
  /** Runs deploy/parley of this checkout; returns its output, throws where it fails. */
  readonly operate: (args: readonly string[]) => Promise<string>;
  /** Runs lines of a shell as an administrator of this installation would, in an empty folder. */
  readonly shell: (lines: string) => Promise<string>;
  /** The containers that run (with `all` those that have ended too), of one service or of all. */
  readonly containers: (options?: { service?: string; all?: boolean }) => Promise<Container[]>;
  /** Removes everything of it but the images. */
  readonly remove: () => Promise<void>;
}

/** Whether a container engine is here, which most machines that run the tests lack. */
export function hasEngine(): boolean {
  const answers = (...args: string[]) => spawnSync("docker", args, { stdio: "ignore", timeout: 30_000 }).status === 0;
  return answers("info") && answers("compose", "version");
}

/**
 * Makes the settings of an installation, `given` among them; nothing of it runs yet.
 *
 * @param options.checkout makes the settings as the version there does
 * @param options.suffix of the name of its project, where a test has several
 * @param options.files of Compose, added to docker-compose.yml
 */
export async function createInstallation(
  given: Record<string, string> = {},
  options: { checkout?: string; suffix?: string; files?: readonly string[] } = {},
): Promise<Installation> {
  const { root, folder: runFolder } = runContext();
  const { checkout = root, suffix = "", files = [] } = options;
  const folder = await mkdtemp(join(runFolder, "installation-"));
  const port = await findFreePort();
  const settings = join(folder, "settings.env");
  await run(join(checkout, "deploy", "make-env.sh"), [settings]);
  // All requests of the test come from one address.
  const own = { EDGE_ADDRESS: "127.0.0.1", EDGE_PORT: port, RATE_LIMIT_REST_RPS: 5_000, RATE_LIMIT_REST_BURST: 5_000 };
  const more = {
    ...own,
    RATE_LIMIT_AUTH_RPS: 100,
    RATE_LIMIT_AUTH_BURST: 100,
    DRAIN_SECONDS: 2,
    EDGE_DRAIN_SECONDS: 5,
    ...given,
  };
  const lines = Object.entries(more).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(settings, `${await readFile(settings, "utf8")}${lines.join("")}`);

  const env = {
    ...process.env,
    // Another installation on this machine keeps its containers, volumes and images.
    COMPOSE_PROJECT_NAME: `parley-test-${process.pid}${suffix}`,
    COMPOSE_FILE: [process.env.COMPOSE_FILE ?? join(root, "docker-compose.yml"), ...files].join(":"),
    REFUSED: join(folder, "refused.conf"),
    COMPOSE_ENV_FILES: settings,
    PARLEY_IMAGES: "parley-test",
  };
  const maxBuffer = 64 * 1024 * 1024;
  const docker = async (args: readonly string[], given: Record<string, string> = {}) =>
    (await run("docker", [...args], { env: { ...env, ...given }, maxBuffer })).stdout;
  const compose: Installation["compose"] = (args, given) => docker(["compose", ...args], given);

  return {
    url: `http://127.0.0.1:${port}`,
    settings,
    env,
    compose,
    docker: (args) => docker(args),
    operate: async (args) => {
      const script = join(root, "deploy", "parley");
      return (await run(script, [...args], { env: { ...env, TEXTFILES: folder }, maxBuffer })).stdout;
    },
    shell: async (text) => {
      const empty = join(folder, "empty");
      await mkdir(empty, { recursive: true });
      return (await run("bash", ["-euo", "pipefail", "-c", text], { env, cwd: empty, maxBuffer })).stdout;
    },
    containers: async ({ service, all = false } = {}) => {
      const args = [...(all ? ["--all"] : []), ...(service === undefined ? [] : [service])];
      const text = await compose(["ps", "--format", "json", ...args]);
      const found = text.split("\n").filter((line) => line !== "");
      return found.map((line) => Container.parse(JSON.parse(line)));
    },
    untilHealthy: () =>
      waitUntil(
        async () => {
          const found = (await compose(["ps", "--quiet"])).trim().split("\n");
          const failures = await docker([
            "inspect",
            "--format",
            "{{with .State.Health}}{{.FailingStreak}}{{end}}",
            ...found,
          ]);
          return failures.split("\n").every((count) => count === "" || count === "0");
        },
        { timeoutMs: 60_000, what: "containers whose last check of health has passed" },
      ),
    remove: async () => {
      await compose(["--profile", "*", "down", "--volumes", "--timeout", "30"]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
