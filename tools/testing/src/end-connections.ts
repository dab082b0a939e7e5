import { afterAll } from "vitest";
import { WebSocket } from "ws";
import { gatewaySockets } from "./gateway-sockets.js";

// A setup file of every test file: ends the connections that the file has left open. The process, and the stack that
// test files share, go on.
const sockets: WebSocket[] = [];
const keep = (socket: unknown) => {
  if (socket instanceof WebSocket) sockets.push(socket);
};
gatewaySockets.subscribe(keep);
afterAll(() => {
  gatewaySockets.unsubscribe(keep);
  for (const socket of sockets) socket.terminate();
});
