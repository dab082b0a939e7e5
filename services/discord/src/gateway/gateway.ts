import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type { createClientAddress, NetworkBans } from "@parley/auth";
import { closeCodes, errorTexts } from "@parley/contracts";
import { closingErrorText } from "@parley/service-runtime";
import { GatewayCloseCodes } from "discord-api-types/v10";
import { type WebSocket, WebSocketServer } from "ws";
import { forwardedFor, originOf } from "../rest/caller.js";
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
  readonly #connections = new Map<WebSocket, { readonly connection: Connection; readonly address: string }>();
  #isLeaving = false;

  constructor(
    private readonly surroundings: ConnectionSurroundings & {
      /** Address of the installation for callers, without a slash at its end; null where it follows from the request. */
      readonly publicUrl: string | null;
      readonly networkBans: Pick<NetworkBans, "isBanned" | "onChange">;
      readonly clientAddress: ReturnType<typeof createClientAddress>;
    },
  ) {
    surroundings.networkBans.onChange(() => this.#closeBanned());
  }

  get connections(): number {
    return this.#connections.size;
  }

  /** For the event `upgrade` of the HTTP server. */
  onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on("error", () => socket.destroy());
    const { networkBans, clientAddress, publicUrl } = this.surroundings;
    const address = clientAddress(request);
    if (networkBans.isBanned(address)) {
      refuse(socket, "403 Forbidden", errorTexts.network_blocked);
      return;
    }
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
        version: Number(version),
        isCompressed: searchParams.get("compress") === "zlib-stream",
        origin: originOf(request, publicUrl),
        forwardedFor: forwardedFor(request),
      });
      this.#connections.set(webSocket, { connection, address });
      webSocket.on("close", () => this.#connections.delete(webSocket));
    });
  }

  #closeBanned(): void {
    for (const [webSocket, { address }] of this.#connections)
      if (this.surroundings.networkBans.isBanned(address)) webSocket.close(closeCodes.policyViolation);
  }

  /** Asks every client to continue on another process, and closes the connections that remain. */
  async leave(): Promise<void> {
    this.#isLeaving = true;
    for (const { connection } of this.#connections.values()) connection.leave();
    const until = performance.now() + leaveMs;
    while (this.#connections.size > 0 && performance.now() < until) await pause(20);
    for (const [webSocket] of this.#connections) webSocket.terminate();
  }
}

function refuse(socket: Duplex, status: string, text: string): void {
  socket.once("finish", () => socket.destroy());
  socket.end(closingErrorText(status, text));
}
