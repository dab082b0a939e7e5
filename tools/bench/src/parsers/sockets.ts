import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { WebSocket } from "ws";
import { exchange, filled, type HostileInput } from "./hostile-input.js";
import type { ParserWorld } from "./world.js";

/** Largest frame of a client, and largest head of an upgrade. */
const frameBytes = 16_384;
const headBytes = 15 * 1024;

const upgradeFields =
  "host: bench\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";
const fill = (part: string, bytes = headBytes) => filled(bytes, "", part);

export function socketInputs(world: ParserWorld): HostileInput[] {
  const { services, socketPath } = world;
  const upgrade = (input: string, path: string, fields = ""): HostileInput => ({
    parser: "upgrade to a WebSocket",
    input,
    service: "gateway",
    bytes: path.length + fields.length,
    send: () => exchange(services.gateway, `GET ${path} HTTP/1.1\r\n${upgradeFields}${fields}\r\n`),
  });
  const deep = (frameBytes - 40) / 2;
  const ids = Array.from({ length: 400 }, () => `"${randomUUID()}"`).join(",");
  return [
    upgrade("a list of events of separators", `${socketPath}&events=${fill(",")}`),
    upgrade("a list of one event, 1,000 times", `${socketPath}&events=${fill("MESSAGE_CREATE,")}`),
    upgrade("a cursor of 15 KB", `${socketPath}&s=${fill("A.")}`),
    upgrade("a cursor of 128 characters", `${socketPath}&s=${fill("A", 107)}.${fill("A", 20)}`),
    upgrade("a shard", `${socketPath}&shard=${fill("1")}/1`),
    upgrade("a token of 15 KB", `/ws?token=${fill("a.")}`),
    upgrade("parameters without names", `${socketPath}${fill("&")}`),
    upgrade("extensions", socketPath, `sec-websocket-extensions: ${fill("a;b=c,")}a\r\n`),
    upgrade(
      "protocols",
      socketPath,
      `sec-websocket-protocol: ${Array.from({ length: 1_500 }, (_, n) => `a${n}`).join(",")}\r\n`,
    ),
    frames(world, "arrays in arrays", [`{"op":"VOICE_SIGNAL","d":${"[".repeat(deep)}${"]".repeat(deep)}}`]),
    frames(world, "empty objects", [`{"op":"VOICE_SIGNAL","d":[${fill("{},", frameBytes - 50)}0]}`]),
    frames(world, "a presence of 16 KB", [
      `{"op":"PRESENCE_UPDATE","d":{"status":"online","activity":"${fill(" ", frameBytes - 100)}"}}`,
    ]),
    frames(world, "400 users", [`{"op":"PRESENCE_SUBSCRIBE","d":{"user_ids":[${ids}]}}`], "&presence=subscribed"),
    frames(
      world,
      "20 at once",
      Array.from({ length: 15 }, () => `{"op":"TYPING_START","d":[${fill("0,", frameBytes - 50)}0]}`),
    ),
  ];
}

/** Frames, and a heartbeat behind them. */
function frames(
  { services, socketPath }: ParserWorld,
  input: string,
  texts: readonly string[],
  query = "",
): HostileInput {
  return {
    parser: "frame of a client",
    input,
    service: "gateway",
    bytes: texts.reduce((sum, text) => sum + text.length, 0),
    async send() {
      const socket = new WebSocket(`${services.gateway.url.replace("http", "ws")}${socketPath}${query}`);
      await once(socket, "message");
      for (const text of texts) socket.send(text);
      socket.send('{"op":"HEARTBEAT"}');
      const answers: string[] = [];
      await new Promise<void>((resolve, reject) => {
        socket.on("message", (data) => {
          answers.push(String(data));
          if (String(data).includes("HEARTBEAT_ACK")) resolve();
        });
        socket.on("close", () => reject(new Error(`The connection was closed after ${answers.length} frames.`)));
      });
      socket.terminate();
      return "HEARTBEAT_ACK";
    },
  };
}
