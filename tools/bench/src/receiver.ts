import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** A web server that takes every request, and its address. */
export async function startReceiver(
  onRequest: (request: IncomingMessage, response: ServerResponse) => void,
  host = "127.0.0.1",
) {
  const server = createServer(onRequest);
  server.listen(0, host);
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://${host}:${typeof address === "object" ? address?.port : 0}`,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
