import type { ServerResponse } from "node:http";
import { z } from "zod";
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
export function deliveryInputs({ urls, headers, pool, room, web }: ParserWorld): HostileInput[] {
  return Object.entries(answers).map(([input, { bytes, answer }]) => ({
    parser: "answer of a webhook's receiver",
    input,
    service: "webhook-dispatcher",
    bytes,
    async send() {
      let arrive: (response: ServerResponse) => void = () => undefined;
      const arrived = new Promise<ServerResponse>((resolve) => {
        arrive = resolve;
      });
      const url = web.publish((response) => {
        arrive(response);
        answer(response);
      });
      const { rows } = await pool.query(
        `INSERT INTO webhooks (server_id, created_by, name, url, event_types, secret)
          VALUES ($1, $2, 'bench', $3, '{message.created}', repeat('0', 64)) RETURNING id`,
        [room.serverId, room.userIds[0], url],
      );
      const [{ id }] = z.tuple([z.object({ id: z.string() })]).parse(rows);
      const tested = await exchange(
        urls.api,
        requestBytes(`POST /servers/${room.serverId}/webhooks/${id}/test`, headers),
      );
      const { socket } = await arrived;
      // However the connection ends, the answer has been parsed then.
      socket?.on("error", () => undefined);
      if (socket !== null && !socket.closed) await new Promise((resolve) => socket.once("close", resolve));
      await pool.query("DELETE FROM webhooks WHERE id = $1", [id]);
      return tested;
    },
  }));
}
