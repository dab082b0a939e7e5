import { EventEmitter, once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { insertWebhooks } from "../world.js";
import { exchange, type HostileInput, requestBytes } from "./hostile-input.js";
import { sendChunks } from "./pages.js";
import type { ParserWorld } from "./world.js";

const answers: Readonly<Record<string, { bytes: number; answer: (response: ServerResponse) => void }>> = {
  "1 MB in chunks of one byte": {
    bytes: 1024 * 1024,
    answer: (response) => sendChunks(response, "text/html", 1024 * 1024),
  },
  "1,000 fields in the head": {
    bytes: 7_000,
    answer: (response) => {
      for (let n = 0; n < 1_000; n += 1) response.setHeader(`a${n}`, "");
      response.end();
    },
  },
  "interim answers, 10,000": {
    bytes: 10_000 * 25,
    answer: (response) => {
      response.socket?.end(`${"HTTP/1.1 102 Processing\r\n\r\n".repeat(10_000)}HTTP/1.1 204 No Content\r\n\r\n`);
    },
  },
};

/** Each is an answer to the test of a webhook of its own. */
export function deliveryInputs({ services, headers, pool, room, web }: ParserWorld): HostileInput[] {
  return Object.entries(answers).map(([input, { bytes, answer }]) => ({
    parser: "answer of a webhook's receiver",
    input,
    service: "webhook-dispatcher",
    bytes,
    async send() {
      const answered = new EventEmitter();
      const arrived = once(answered, "request");
      const url = web.publish((response) => {
        answered.emit("request", response.socket);
        answer(response);
      });
      const [id = ""] = await insertWebhooks(pool, room.serverId, url, 1);
      const tested = await exchange(
        services.api,
        requestBytes(`POST /servers/${room.serverId}/webhooks/${id}/test`, headers),
      );
      const [socket]: Socket[] = await arrived;
      // However the connection ends, the answer has been parsed then.
      socket?.on("error", () => undefined);
      if (socket?.closed === false) await new Promise((resolve) => socket.once("close", resolve));
      await pool.query("DELETE FROM webhooks WHERE id = $1", [id]);
      return tested;
    },
  }));
}
