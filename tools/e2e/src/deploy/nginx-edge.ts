import { randomBytes } from "node:crypto";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { findFreePort, startProcess } from "@parley/local-stack";
import { runContext, waitUntil } from "@parley/testing";

/** A real nginx with the configuration of deploy/nginx. */
export interface NginxEdge {
  readonly url: string;
  /** Where it answers when it has a certificate. */
  readonly tlsUrl: string;
  /** Where it reads that certificate. */
  readonly tlsFolder: string;
  /** Its log: a JSON line for each request. */
  readonly accessLog: () => Promise<string>;
  /** Each pause of requests that waited for an api, by its path in repeat.conf. */
  readonly waits: () => Promise<string[]>;
  /** Everything that it wrote to any log. */
  readonly allLogs: () => Promise<string>;
  /** Where its configuration is. */
  readonly folder: string;
  /** The process that reads its configuration again (SIGHUP). */
  readonly pid: () => Promise<number>;
  /** Shows its checks a machine without routes. */
  readonly loseNetwork: () => Promise<void>;
  readonly running: () => boolean;
  /** Asks it to finish its requests, as its image does; resolves with its exit code. */
  readonly drain: () => Promise<number | null>;
  readonly stop: () => Promise<void>;
}

/**
 * Starts nginx with the files of deploy/nginx in which only addresses and folders are others: the services are named
 * instead of resolved by Docker, which older versions cannot do.
 */
export async function startNginx(options: {
  program: string;
  /** http://host:port of each. */
  apis: readonly string[];
  gateways: readonly string[];
  /** Addresses of the service for bots written for Discord; by default none that answers. */
  discords?: readonly string[];
  /** Each pause of a request that no api answers; by default those of repeat.conf. */
  waitMs?: number;
  connectionsPerAddress?: number | string;
  drainSeconds?: number | string;
  workers?: number | string;
  /** Address that a line of each answer is sent to. */
  statusTo?: string;
  /** The text of trusted-proxies.conf. */
  trustedProxies?: string;
  /** A folder with tls.crt and tls.key. */
  certificate?: string;
  /** Folder of the web application's files; none by default. */
  application?: string;
}): Promise<NginxEdge> {
  const { root, folder: runFolder } = runContext();
  const folder = join(runFolder, `nginx-${randomBytes(6).toString("hex")}`);
  const accessLog = join(folder, "access.log");
  const waitLog = join(folder, "waits.log");
  const [port, tlsPort] = [await findFreePort(), await findFreePort()];
  await mkdir(join(folder, "run"), { recursive: true });
  const routes = join(folder, "routes");
  await writeFile(routes, "Iface Destination\neth0 00000000\n");
  const { connectionsPerAddress: limit, drainSeconds, workers } = options;
  await cp(join(root, "deploy", "nginx"), folder, { recursive: true });
  await change(join(folder, "nginx.conf"), (text) =>
    text
      .replaceAll(/(\s)\/tmp\//g, `$1${folder}/run/`)
      .replaceAll("/etc/nginx/parley/", `${folder}/`)
      .replace("/dev/stdout", accessLog)
      // Which older versions do not know.
      .replace(/^ *keepalive_min_timeout .*$/m, ""),
  );
  // The image has the application's files in /srv/parley/app.
  await mkdir(join(folder, "srv"));
  if (options.application !== undefined) await cp(options.application, join(folder, "srv", "app"), { recursive: true });
  await change(join(folder, "application-files.conf"), (text) => text.replace("/srv/parley", join(folder, "srv")));
  await change(join(folder, "repeat.conf"), (text) =>
    text
      .replaceAll("/tmp/", `${folder}/run/`)
      .replace("access_log off", `access_log ${waitLog}`)
      .replaceAll(/(client_body_timeout) [^;]+/g, (pause, name) =>
        options.waitMs === undefined ? pause : `${name} ${options.waitMs}ms`,
      ),
  );
  await change(join(folder, "routes.conf"), (text) => text.replaceAll("/tmp/", `${folder}/run/`));
  await change(join(folder, "tls.conf"), (text) =>
    text.replace("/tmp/", `${folder}/run/`).replace("/etc/nginx/tls", join(folder, "tls")),
  );
  if (options.certificate !== undefined) await cp(options.certificate, join(folder, "tls"), { recursive: true });
  await change(join(folder, "upstreams.conf"), (text) =>
    text
      .replace(/^resolver .*$/m, "")
      .replace(/^.*server api:8080 resolve (.*)$/m, serverLines(options.apis))
      .replace(/^.*server gateway:8080 resolve (.*)$/m, serverLines(options.gateways))
      .replace(/^.*server discord:8080 resolve (.*)$/m, serverLines(options.discords ?? ["http://127.0.0.1:9"])),
  );

  if (options.trustedProxies !== undefined) {
    await writeFile(join(folder, "trusted-proxies.conf"), options.trustedProxies);
  }

  // As root its workers would run as another user, who may not write into the folder.
  const directives = `daemon off;${process.getuid?.() === 0 ? " user root;" : ""}`;
  await change(join(folder, "start.sh"), (text) =>
    text
      .replaceAll("/tmp/", `${folder}/run/`)
      .replaceAll("/etc/nginx/tls", join(folder, "tls"))
      .replaceAll("/proc/net/route", routes)
      .replace("exec nginx ", `exec "${options.program}" -p "${folder}" -e stderr `)
      .replace("daemon off;", directives),
  );
  const nginx = await startProcess({
    name: "nginx",
    command: join(folder, "start.sh"),
    args: [],
    env: {
      PATH: process.env.PATH,
      EDGE_LISTEN: `127.0.0.1:${port}`,
      EDGE_LISTEN_TLS: `127.0.0.1:${tlsPort}`,
      ...(options.statusTo === undefined ? {} : { EDGE_STATUS_TO: options.statusTo }),
      ...(limit === undefined ? {} : { EDGE_CONNECTIONS_PER_ADDRESS: String(limit) }),
      ...(workers === undefined ? {} : { EDGE_WORKERS: String(workers) }),
      ...(drainSeconds === undefined ? {} : { EDGE_DRAIN_SECONDS: String(drainSeconds) }),
    },
  });
  const url = `http://127.0.0.1:${port}`;
  await waitUntil(() => !nginx.running() || fetch(`${url}/metrics`).then(({ status }) => status === 404), {
    what: "nginx to listen",
  });
  if (!nginx.running()) throw new Error(`nginx did not start:\n${nginx.lastLines().join("\n")}`);
  return {
    url,
    tlsFolder: join(folder, "tls"),
    tlsUrl: `https://localhost:${tlsPort}`,
    accessLog: () => readFile(accessLog, "utf8"),
    waits: async () => [...(await readFile(waitLog, "utf8")).matchAll(/"GET (\S+) /g)].map(([, path = ""]) => path),
    allLogs: async () => [await readFile(accessLog, "utf8"), ...nginx.lastLines()].join("\n"),
    folder,
    pid: async () => Number(await readFile(join(folder, "run", "nginx.pid"), "utf8")),
    loseNetwork: () => writeFile(routes, "Iface Destination\n"),
    running: nginx.running,
    drain: async () => (await nginx.stop({ signal: "SIGQUIT" })).code,
    stop: async () => void (await nginx.stop({ signal: "SIGTERM" })),
  };
}

/** Type and body of the answers that nginx gives itself. */
export const jsonType = "application/json; charset=utf-8";

/** Sends text as it is and returns the answer until the connection or the answer ends. */
export async function exchange(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(text);
  let answer = "";
  for await (const chunk of socket) {
    answer += String(chunk);
    if (answer.endsWith("}")) break;
  }
  return answer;
}

function serverLines(urls: readonly string[]): string {
  return urls.map((url) => `  server ${new URL(url).host} $1`).join("\n");
}

async function change(file: string, edit: (text: string) => string): Promise<void> {
  await writeFile(file, edit(await readFile(file, "utf8")));
}
