import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAccessTokens } from "@parley/auth";
import { gatewayPaths } from "@parley/contracts";
import type { ServerProcess } from "@parley/local-stack";
import pg from "pg";
import { type BenchStack, startBenchStack } from "../stack.js";
import { createRoom, type Room } from "../world.js";

/** Services that take bytes of strangers. */
export const measured = ["api", "gateway", "automod", "webhook-dispatcher"] as const;
export type Measured = (typeof measured)[number];

/** One process of each service, each of which records how long its event loop is held. */
export interface ParserWorld {
  readonly pool: pg.Pool;
  readonly web: HostileWeb;
  readonly room: Room;
  readonly urls: Readonly<Record<Measured, string>>;
  /** Headers of the room's owner. */
  readonly headers: Readonly<Record<string, string>>;
  readonly socketPath: string;
  /** The longest time in milliseconds for which the event loop of a service was held since the last call for it. */
  longestHold(service: Measured): Promise<number>;
  stop(): Promise<void>;
}

/** A web server on 127.0.0.2, which stands for the public internet. */
export interface HostileWeb {
  readonly base: string;
  /** The address of an answer that is given as often as it is asked for; at a path of its own, when none is given. */
  publish(answer: (response: ServerResponse) => void, path?: string): string;
  close(): void;
}

export async function startParserWorld(): Promise<ParserWorld> {
  const folder = await mkdtemp(join(tmpdir(), "parley-recorder-"));
  const web = await startHostileWeb();
  const recorder = new URL("../../dist/parsers/recorder.js", import.meta.url).href;
  const stack = await startBenchStack({
    NODE_OPTIONS: `--inspect-port=0 --import=${recorder}`,
    PARLEY_BENCH_RECORDER: folder,
    LINK_PREVIEW_ALLOWED_NETWORKS: "127.0.0.2/32",
    WEBHOOK_ALLOWED_NETWORKS: "127.0.0.2/32",
    GIPHY_API_KEY: "bench",
    GIPHY_API_URL: web.base,
    TRUST_PROXY: "127.0.0.1",
  });
  const pool = new pg.Pool({ connectionString: stack.databaseUrl });
  const stop = async () => {
    await pool.end();
    await stack.stop();
    web.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    return { ...(await openWorld(stack, { pool, folder })), pool, web, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openWorld(stack: BenchStack, { pool, folder }: { pool: pg.Pool; folder: string }) {
  const processes = new Map<Measured, ServerProcess>();
  for (const name of measured) processes.set(name, await stack.start(name));
  const process = (name: Measured): ServerProcess => {
    const found = processes.get(name);
    if (found === undefined) throw new Error(`${name} was not started.`);
    return found;
  };
  const room = await createRoom(pool, 1);
  const token = createAccessTokens({ secret: stack.jwtSecret }).issue({ userId: room.userIds[0] ?? "" });
  return {
    room,
    urls: {
      api: process("api").url,
      gateway: process("gateway").url,
      automod: process("automod").url,
      "webhook-dispatcher": process("webhook-dispatcher").url,
    },
    headers: { authorization: `Bearer ${token}` },
    socketPath: `${gatewayPaths[0]}?token=${token}`,
    async longestHold(service: Measured) {
      const socket = connect(join(folder, `${process(service).pid()}.sock`));
      socket.setEncoding("utf8");
      let text = "";
      socket.on("data", (part) => {
        text += part;
      });
      await once(socket, "close");
      return Number(text);
    },
  };
}

async function startHostileWeb(): Promise<HostileWeb> {
  const answers = new Map<string, (response: ServerResponse) => void>();
  const server = createServer((request, response) => {
    request.resume();
    request.once("end", () => {
      const answer = answers.get(new URL(request.url ?? "/", "http://a").pathname);
      if (answer === undefined) response.writeHead(404).end();
      else answer(response);
    });
  });
  server.listen(0, "127.0.0.2");
  await once(server, "listening");
  const address = server.address();
  const base = `http://127.0.0.2:${typeof address === "object" ? address?.port : 0}`;
  return {
    base,
    publish(answer, path = `/${answers.size}`) {
      answers.set(path, answer);
      return `${base}${path}`;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
