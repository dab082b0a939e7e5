import { once } from "node:events";
import { connectMessaging, subscribeLive } from "@parley/messaging";
import { WebSocketServer } from "ws";

/** What one writes first: every event to every client, one after the other. */
const [url = "", pattern = ""] = process.argv.slice(2);
const logger = { info: () => undefined, warn: () => undefined };
const messaging = await connectMessaging({ url, name: "bench naive", logger });
const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
const listening = once(server, "listening");
server.on("connection", (client) => client.on("error", () => undefined));
subscribeLive(messaging, pattern, ({ body }) => {
  const text = Buffer.from(body).toString();
  for (const client of server.clients) client.send(text);
});
await messaging.ping(10_000);
await listening;
const address = server.address();
process.send?.({ port: typeof address === "object" ? address?.port : 0 });
process.on("message", () => process.send?.(process.memoryUsage()));
process.on("disconnect", () => process.exit());
