import { createServer } from "node:http";
import { connectMessaging, subscribeLive } from "@parley/messaging";
import { Server } from "socket.io";

/** Longer than any benchmark: the readers answer no pings. */
const pingInterval = 24 * 60 * 60 * 1_000;

/** A socket.io server as its documentation writes it: everybody in one room, every event emitted to the room. */
const [url = "", pattern = ""] = process.argv.slice(2);
const logger = { info: () => undefined, warn: () => undefined };
const messaging = await connectMessaging({ url, name: "bench socket.io", logger });
const http = createServer();
const io = new Server(http, { transports: ["websocket"], serveClient: false, pingInterval });
io.on("connection", (socket) => void socket.join("room"));
subscribeLive(messaging, pattern, ({ body }) => {
  io.to("room").emit("DISPATCH", JSON.parse(Buffer.from(body).toString()));
});
await messaging.ping(10_000);
http.listen(0, "127.0.0.1", () => {
  const address = http.address();
  process.send?.({ port: typeof address === "object" ? address?.port : 0 });
});
process.on("message", () => process.send?.(process.memoryUsage()));
process.on("disconnect", () => process.exit());
