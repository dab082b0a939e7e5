import type { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import {
  type Claim,
  type Credential,
  type createClientAddress,
  type Identity,
  type NetworkBans,
  type ReadClaim,
  rejectionText,
} from "@parley/auth";
import { closeCodes, errorTexts, gatewayPaths } from "@parley/contracts";
import { answerError, closingErrorText, type Logger } from "@parley/service-runtime";
import { WebSocketServer } from "ws";
import { clientWindowBits, closeTimeoutMs, frameBytesMax, inflateChunkBytes, messageFragmentsMax } from "../limits.js";
import { type ConnectionQuery, parseConnectionQuery } from "../query/connection-query.js";
import type { TimeSlicedTasks } from "../scheduling/time-sliced-tasks.js";
import { acceptedOffer, offersSharedCompression } from "./compression-offer.js";
import type { Sessions } from "./session.js";

/** A request that may be upgraded. */
interface Admission {
  identity: Identity;
  query: ConnectionQuery;
  address: string;
  /** Its identity again, as of now. */
  confirm(): Promise<Identity | Rejection>;
}

interface Rejection {
  status: keyof typeof statusTexts;
  text: string;
}

const statusTexts = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  503: "Service Unavailable",
} as const;
const notAnUpgrade: Rejection = { status: 400, text: errorTexts.upgrade_required };
const notFound: Rejection = { status: 404, text: errorTexts.not_found };
const blocked: Rejection = { status: 403, text: errorTexts.network_blocked };
const noFactor: Rejection = { status: 403, text: errorTexts.second_factor_set_up_first };
const unavailable: Rejection = { status: 503, text: errorTexts.unavailable };

// A variable, not a literal argument: the types of ws lack closeTimeout.
const webSocketOptions = {
  noServer: true,
  clientTracking: false,
  maxPayload: frameBytesMax,
  maxFragments: messageFragmentsMax,
  // A message with invalid UTF-8 is dropped as malformed (docs/protocol/connecting.md#14.2); ws would close the connection.
  skipUTF8Validation: true,
  closeTimeout: closeTimeoutMs,
};

/** ws only inflates the client's messages with this; the gateway itself compresses each of its frames once for many. */
const compression = {
  clientNoContextTakeover: true,
  clientMaxWindowBits: clientWindowBits,
  zlibInflateOptions: { chunkSize: inflateChunkBytes },
};

/** Authenticates upgrade requests: a connection, or an HTTP error before the upgrade (docs/protocol/connecting.md#14.1). */
export class Upgrades {
  readonly #plain = new WebSocketServer({ ...webSocketOptions, perMessageDeflate: false });
  readonly #compressing = new WebSocketServer({ ...webSocketOptions, perMessageDeflate: compression });
  #isRejecting = false;

  constructor(
    private readonly options: {
      readClaim: ReadClaim;
      networkBans: Pick<NetworkBans, "isBanned">;
      clientAddress: ReturnType<typeof createClientAddress>;
      sessions: Sessions;
      handshakes: TimeSlicedTasks;
      logger: Logger;
      isCompressing: boolean;
    },
  ) {
    for (const server of [this.#plain, this.#compressing])
      server.on("wsClientError", (_error, socket) => rejectSocket(socket, notAnUpgrade));
  }

  /** For the event `upgrade` of the HTTP server. */
  onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (!(socket instanceof Socket)) {
      socket.destroy();
      return;
    }
    destroyOnError(socket);
    const { handshakes, logger, networkBans, clientAddress } = this.options;
    // Before it waits for its turn.
    if (isGatewayRequest(request) && networkBans.isBanned(clientAddress(request))) {
      rejectSocket(socket, blocked);
      return;
    }
    handshakes.add(() => {
      this.#upgrade(request, socket, head).catch((err) => {
        logger.error({ err }, "an upgrade failed");
        socket.destroy();
      });
    });
  }

  /** A plain request: true when it was for the gateway's path and has been answered. */
  onRequest(request: IncomingMessage, response: ServerResponse): boolean {
    if (!isGatewayRequest(request)) return false;
    void this.#admit(request).then((admission) => {
      const { status, text } = "status" in admission ? admission : notAnUpgrade;
      // Lets a web page read why its WebSocket was refused; the answer depends on the token in the address only.
      response.setHeader("access-control-allow-origin", "*");
      answerError(response, status, text);
    });
    return true;
  }

  /** Rejects all requests from now on (503). */
  rejectAll(): void {
    this.#isRejecting = true;
  }

  /** The token is checked before the other parameters (docs/protocol/requests.md#1.4). */
  async #admit(request: IncomingMessage): Promise<Admission | Rejection> {
    const address = this.options.clientAddress(request);
    const parameters = queryParameters(request);
    const credential = readCredential(parameters);
    const rejection: Rejection = { status: 401, text: rejectionText(credential) };
    const claim = this.options.readClaim(credential);
    const confirm = () => this.#identify(claim, { rejection, address });
    const identity = await confirm();
    if ("status" in identity) return identity;
    const query = parseConnectionQuery(parameters);
    return "error" in query ? { status: 400, text: query.error } : { identity, query, address, confirm };
  }

  async #identify(
    claim: Claim | null,
    { rejection, address }: { rejection: Rejection; address: string },
  ): Promise<Identity | Rejection> {
    if (this.#isRejecting) return unavailable;
    if (this.options.networkBans.isBanned(address)) return blocked;
    try {
      const identity = (await claim?.confirm()) ?? rejection;
      return "kind" in identity && identity.kind === "user" && identity.missingFactor === "everyone"
        ? noFactor
        : identity;
    } catch (err) {
      this.options.logger.warn({ err }, "a token could not be checked");
      return unavailable;
    }
  }

  async #upgrade(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    const { sessions, handshakes, logger } = this.options;
    const admission = isGatewayRequest(request) ? await this.#admit(request) : notFound;
    if ("status" in admission) return rejectSocket(socket, admission);
    const connection = sessions.create(admission.identity, admission.query, admission.address);
    const onClose = () => connection.detach();
    socket.once("close", onClose);
    try {
      await sessions.begin(connection);
    } catch (err) {
      logger.warn({ err }, "a connection could not be placed");
      // The client is authenticated, so it is upgraded and then closed with 1001, which clients answer by reconnecting.
      connection.close(closeCodes.goingAway);
    }
    // An event that ended the session before the connection was registered could not close it.
    const confirmed = await admission.confirm();
    await handshakes.enter();
    socket.removeListener("close", onClose);
    if ("status" in confirmed) {
      connection.detach();
      return rejectSocket(socket, confirmed);
    }
    let isRunning = false;
    this.#serverFor(request).handleUpgrade(request, socket, head, (webSocket) => {
      isRunning = true;
      sessions.run(connection, { webSocket, socket });
    });
    if (!isRunning) connection.detach();
  }

  #serverFor({ headers }: IncomingMessage): WebSocketServer {
    const { isCompressing } = this.options;
    if (!isCompressing || !offersSharedCompression(headers["sec-websocket-extensions"])) return this.#plain;
    // ws rejects a request that it cannot accept an offer of, even if it could go on without.
    headers["sec-websocket-extensions"] = acceptedOffer;
    return this.#compressing;
  }
}

/** The listener stays as long as the socket, so it is made where it does not keep the request. */
function destroyOnError(socket: Socket): void {
  socket.on("error", () => socket.destroy());
}

function isGatewayRequest({ method, url = "" }: IncomingMessage): boolean {
  const path = url.split("?", 1)[0]?.replace(/\/$/, "");
  return method === "GET" && gatewayPaths.some((gatewayPath) => gatewayPath === path);
}

function queryParameters({ url = "" }: IncomingMessage): URLSearchParams {
  return new URLSearchParams(url.slice(url.indexOf("?") + 1));
}

/** `token` takes precedence over `bot_token`. */
function readCredential(parameters: URLSearchParams): Credential | null {
  const token = parameters.get("token");
  if (token !== null) return { scheme: "bearer", credential: token };
  const botToken = parameters.get("bot_token");
  return botToken === null ? null : { scheme: "bot", credential: botToken };
}

function rejectSocket(socket: Duplex, { status, text }: Rejection): void {
  socket.once("finish", () => socket.destroy());
  socket.end(closingErrorText(`${status} ${statusTexts[status]}`, text));
}
