import { mkdtemp, rm } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { startReceiver } from "../receiver.js";
import { startBenchStack } from "../stack.js";
import { createRoom } from "../world.js";

/** One process of each service that records the blocks of its event loop. */
export type ParserWorld = Awaited<ReturnType<typeof startParserWorld>>;

/** Services that take bytes of strangers. */
export type Measured = "api" | "gateway" | "automod" | "webhook-dispatcher";

export async function startParserWorld() {
  const folder = await mkdtemp(join(tmpdir(), "parley-recorder-"));
  const web = await startHostileWeb();
  const recorder = new URL("../../dist/parsers/recorder.js", import.meta.url).href;
  const stack = await startBenchStack({
    NODE_OPTIONS: `--inspect-port=0 --import=${recorder}`,
    PARLEY_BENCH_RECORDER: folder,
    LINK_PREVIEW_ALLOWED_NETWORKS: "127.0.0.2/32",
    WEBHOOK_ALLOWED_NETWORKS: "127.0.0.2/32",
    GIPHY_API_KEY: "bench",
    GIPHY_API_URL: web.url,
    TRUST_PROXY: "127.0.0.1",
  });
  const stop = async () => {
    await stack.stop();
    await web.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const services = {
      api: await stack.start("api"),
      gateway: await stack.start("gateway"),
      automod: await stack.start("automod"),
      "webhook-dispatcher": await stack.start("webhook-dispatcher"),
    };
    const room = await createRoom(stack.pool, 1);
    const [userId = ""] = room.userIds;
    return {
      pool: stack.pool,
      web,
      room,
      services,
      /** Headers of the room's owner. */
      headers: stack.headers(userId),
      socketPath: stack.socketPath(userId),
      /** The longest block of a service's event loop in milliseconds since the last call for it. */
      async longestHold(service: Measured): Promise<number> {
        return Number(await text(connect(join(folder, `${services[service].pid()}.sock`))));
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A web server on 127.0.0.2, which stands for the public internet. */
async function startHostileWeb() {
  const answers = new Map<string, (response: ServerResponse) => void>();
  const receiver = await startReceiver((request, response) => {
    request.resume();
    request.once("end", () => {
      const answer = answers.get(new URL(request.url ?? "/", "http://a").pathname);
      if (answer === undefined) response.writeHead(404).end();
      else answer(response);
    });
  }, "127.0.0.2");
  return {
    ...receiver,
    /** @returns the address of an answer that every request to it gets; at a path of its own unless one is given */
    publish(answer: (response: ServerResponse) => void, path = `/${answers.size}`): string {
      answers.set(path, answer);
      return receiver.url + path;
    },
  };
}
