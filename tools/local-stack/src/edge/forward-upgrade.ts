import { Agent, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { createProxyServer } from "httpxy";
import { answerUpgrade, edgeAnswers } from "./error-answer.js";
import { dialTimeoutMs, upgradeTimeoutMs } from "./limits.js";
import type { Upstreams } from "./upstreams.js";

/** Hands out one connection that is already open. */
class DialledAgent extends Agent {
  readonly #socket: Socket;

  constructor(socket: Socket) {
    super();
    this.#socket = socket;
  }

  override createConnection(): Socket {
    return this.#socket;
  }
}

/**
 * Creates a forwarder of WebSocket upgrades, which tries the upstreams in order until one accepts a connection. The
 * connection then lives as long as both sides want.
 */
export function createUpgradeForwarder() {
  const proxy = createProxyServer({ upgradeTimeout: upgradeTimeoutMs });
  const unanswered = new WeakSet<Socket>();
  proxy.on("proxyReqWs", (outgoing, _request, socket) => {
    unanswered.add(socket);
    outgoing.once("response", () => unanswered.delete(socket));
    outgoing.once("upgrade", () => unanswered.delete(socket));
  });
  proxy.on("error", (_error, _request, socket) => {
    if (socket === undefined || !("bytesWritten" in socket)) return;
    if (unanswered.delete(socket)) answerUpgrade(socket, edgeAnswers.badGateway);
  });

  return async (request: IncomingMessage, socket: Socket, head: Buffer, upstreams: Upstreams): Promise<void> => {
    // A client that goes away while we dial must not end the process.
    socket.on("error", () => socket.destroy());
    const dialled = await dialFirst(upstreams.order());
    if (dialled === null) {
      answerUpgrade(socket, edgeAnswers.unavailable);
      return;
    }
    if (socket.destroyed) {
      dialled.socket.destroy();
      return;
    }
    upstreams.opened(dialled.target);
    socket.once("close", () => {
      upstreams.closed(dialled.target);
      dialled.socket.end();
    });
    const options = { target: dialled.target, agent: new DialledAgent(dialled.socket) };
    await proxy.ws(request, socket, options, head).catch(() => socket.destroy());
  };
}

async function dialFirst(targets: readonly string[]): Promise<{ target: string; socket: Socket } | null> {
  for (const target of targets) {
    const socket = await dial(new URL(target));
    if (socket !== null) return { target, socket };
  }
  return null;
}

function dial({ hostname, port }: URL): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ""), port: Number(port), noDelay: true });
    const fail = () => {
      socket.destroy();
      resolve(null);
    };
    socket.setTimeout(dialTimeoutMs, fail);
    socket.once("error", fail);
    socket.once("connect", () => {
      socket.setTimeout(0);
      socket.off("error", fail);
      // Between this moment and the proxy's own listener, a reset must not end the process.
      socket.on("error", () => socket.destroy());
      resolve(socket);
    });
  });
}
