import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { closingErrorText } from "@parley/service-runtime";
import { GatewayCloseCodes } from "discord-api-types/v10";
import { type WebSocket, WebSocketServer } from "ws";
import { originOf } from "../rest/caller.js";
import { Connection, type ConnectionSurroundings } from "./connection.js";
import { frameBytesMax, leaveMs } from "./limits.js";

const path = "/discord/gateway";
const versions = ["9", "10"];

/** Discord's gateway for bots (docs/discord.md#gateway). */
export class Gateway {
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: frameBytesMax,
    perMessageDeflate: false,
  });
  readonly #connections = new Map<WebSocket, Connection>();
  #isLeaving = false;

  constructor(
    private readonly surroundings: ConnectionSurroundings & {
      /** Address of the installation for callers, without a slash at its end; null where it follows from the request. */
      readonly publicUrl: string | null;
    },
  ) {}

  get connections(): number {
    return this.#connections.size;
  }

  /** For the event `upgrade` of the HTTP server. */
  onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on("error", () => socket.destroy());
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://local");
    if (pathname.replace(/\/$/, "") !== path) {
      refuse(socket, "404 Not Found", "Not found");
      return;
    }
    if (this.#isLeaving) {
      refuse(socket, "503 Service Unavailable", "Service unavailable");
      return;
    }
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      const version = searchParams.get("v") ?? "10";
      const encoding = searchParams.get("encoding") ?? "json";
      if (!versions.includes(version) || encoding !== "json") {
        webSocket.close(GatewayCloseCodes.InvalidAPIVersion);
        return;
      }
      const connection = new Connection(this.surroundings, webSocket, {
        isCompressed: searchParams.get("compress") === "zlib-stream",
        origin: originOf(request, this.surroundings.publicUrl),
      });
      this.#connections.set(webSocket, connection);
      webSocket.on("close", () => this.#connections.delete(webSocket));
    });
  }

  /** Asks every client to continue on another process, and closes the connections that remain. */
  async leave(): Promise<void> {
    this.#isLeaving = true;
    for (const connection of this.#connections.values()) connection.leave();
    const until = performance.now() + leaveMs;
    while (this.#connections.size > 0 && performance.now() < until) await pause(20);
    for (const [webSocket] of this.#connections) webSocket.terminate();
  }
}

function refuse(socket: Duplex, status: string, text: string): void {
  socket.once("finish", () => socket.destroy());
  socket.end(closingErrorText(status, text));
}
