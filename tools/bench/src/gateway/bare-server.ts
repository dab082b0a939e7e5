import { once } from "node:events";
import { dispatchFrame } from "@parley/contracts";
import { WebSocketServer } from "ws";
import { eventBody } from "./event.js";

/** Waiting connections, as many as a gateway asks the kernel for. */
const backlog = 16_384;
/** As long as a cursor in which nothing waits. */
const cursor = "x".repeat(48);

/** What a server costs that knows nobody, and sends every client the same events and then RESUMED. */
const [events = "0", writes = ""] = process.argv.slice(2);
const envelopes = Array.from({ length: Number(events) }, (_, number) => eventBody(`${number} `));
envelopes.push(dispatchFrame("RESUMED", JSON.stringify({ replayed: envelopes.length, presence: "current" })));
const payloads = envelopes.map((envelope) => Buffer.from(`${envelope.slice(0, -1)},"s":"${cursor}"}`));
const together = Buffer.concat(payloads.flatMap((payload) => [headerOf(payload), payload]));

const server = new WebSocketServer({
  host: "127.0.0.1",
  port: 0,
  backlog,
  clientTracking: false,
  perMessageDeflate: false,
});
const listening = once(server, "listening");
server.on("connection", (client, { socket }) => {
  client.on("error", () => undefined);
  if (writes === "one") socket.write(together);
  else for (const payload of payloads) client.send(payload, { binary: false });
});
await listening;
const address = server.address();
process.send?.({ port: typeof address === "object" ? address?.port : 0 });
process.on("disconnect", () => process.exit());

/** Of a text frame (RFC 6455, 5.2) with less than 64 KiB. */
function headerOf({ length }: Buffer): Buffer {
  return Buffer.from(length < 126 ? [0x81, length] : [0x81, 126, length >> 8, length & 0xff]);
}
