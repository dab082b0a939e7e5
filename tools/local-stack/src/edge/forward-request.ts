import type { EventEmitter } from "node:events";
import { Agent, type IncomingMessage, type ServerResponse } from "node:http";
import { Socket } from "node:net";
import { type Duplex, PassThrough } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { createGzip } from "node:zlib";
import { createProxyServer } from "httpxy";
import Negotiator from "negotiator";
import { systemErrorCode } from "../refusal.js";
import { answer, edgeAnswers } from "./error-answer.js";
import { idleUpstreamMs, repeatMs, repeatPauseMs, repeatsMax, standstillTimeoutMs } from "./limits.js";
import { readRepeatable } from "./repeat.js";

/**
 * Keeps idle connections for `idleUpstreamMs`. The option `timeout` of Agent would hold for a connection from its first
 * moment: while the process has no time for its sockets, as in a burst of requests, it ends requests whose connection
 * is only just being made.
 */
class IdleAgent extends Agent {
  override keepSocketAlive(socket: Duplex): boolean {
    // Node.js returns whether to keep it, which its types leave out.
    const keep: unknown = super.keepSocketAlive(socket);
    if (socket instanceof Socket) socket.setTimeout(idleUpstreamMs);
    return keep === true;
  }
}

/**
 * Creates a forwarder with connections of its own that are kept open. A request goes to the next upstream when the
 * connection was refused, that is, before anything of it was sent. One that may have had an effect is repeated only if
 * it may be done twice (repeat.ts).
 *
 * @param options.waitMs for how long a request waits for an upstream that answers
 */
export function createRequestForwarder({ waitMs = repeatMs }: { waitMs?: number } = {}) {
  const agent = new IdleAgent({ keepAlive: true, maxFreeSockets: 256 });
  const proxy = createProxyServer({ agent, proxyTimeout: standstillTimeoutMs });

  // The body is taken from the client only once a service has accepted the connection, so that it is still whole for the next one.
  proxy.on("proxyReq", (outgoing, request, _response, options) => {
    const body = options.buffer;
    if (!(body instanceof PassThrough) || body.writableEnded) return;
    const feed = () => request.pipe(body);
    if (outgoing.socket?.connecting) outgoing.socket.once("connect", feed);
    else feed();
  });

  proxy.on("proxyRes", (answered, request) => {
    if (!isLongJson(answered)) return;
    answered.headers.vary = ["Accept-Encoding", answered.headers.vary ?? []].flat().join(", ");
    if (new Negotiator(request).encoding(["gzip"]) === "gzip") compress(answered);
  });

  async function attempt(
    request: IncomingMessage,
    response: ServerResponse,
    target: string,
    read: Buffer | null,
  ): Promise<"done" | "refused" | "cut"> {
    const body = new PassThrough();
    if (read !== null || !hasBody(request)) body.end(read ?? undefined);
    const removers = [
      listenerRemover(response, "close"),
      listenerRemover(response, "error"),
      listenerRemover(request, "error"),
    ];
    try {
      await proxy.web(request, response, { target, buffer: body });
    } catch (error) {
      if (!response.headersSent && !response.destroyed) {
        for (const removeListeners of removers) removeListeners();
        return systemErrorCode(error) === "ECONNREFUSED" ? "refused" : "cut";
      }
      answer(response, edgeAnswers.badGateway);
    }
    return "done";
  }

  return {
    /**
     * Forwards to the first of the targets that answers. `order` gives them anew for each time that all are tried;
     * `waits` says whether there is a second time.
     */
    forward: async (
      request: IncomingMessage,
      response: ServerResponse,
      order: () => readonly string[],
      { waits }: { waits: boolean },
    ) => {
      // Node.js has answered 100 already; the service must not wait for a second one.
      delete request.headers.expect;
      const { repeats, body } = await readRepeatable(request);
      const deadline = performance.now() + waitMs;
      let sent = 0;
      for (;;) {
        for (const target of order()) {
          const outcome = await attempt(request, response, target, body);
          if (outcome === "done") return;
          if (outcome === "refused") continue;
          sent += 1;
          // Nor after a service has taken long: it may be the time limit that cut it.
          if (repeats && sent < repeatsMax && performance.now() < deadline) continue;
          answer(response, edgeAnswers.badGateway);
          return;
        }
        if (!waits || performance.now() >= deadline || response.destroyed) break;
        await pause(repeatPauseMs);
      }
      answer(response, edgeAnswers.unavailable);
    },
    close: () => agent.destroy(),
  };
}

/** Removes the listeners of an event that are added from now on: an attempt does not remove its own, and there may be many. */
function listenerRemover(emitter: EventEmitter, event: string): () => void {
  const before = emitter.rawListeners(event);
  return () => {
    for (const listener of emitter.rawListeners(event)) {
      if (!before.includes(listener) && isListener(listener)) emitter.off(event, listener);
    }
  };
}

function isListener(value: unknown): value is (...values: unknown[]) => void {
  return typeof value === "function";
}

/** Answers that the edge compresses, as nginx does (deploy/nginx/to-apis.conf). */
function isLongJson({ statusCode, headers }: IncomingMessage): boolean {
  const isShort = Number(headers["content-length"]) < 1_024;
  return statusCode === 200 && !isShort && headers["content-type"]?.startsWith("application/json") === true;
}

/**
 * Compresses the answer in place: the proxy, which copies the headers and pipes the body, then sends both compressed.
 */
function compress(answered: IncomingMessage): void {
  const compressed = answered.pipe(createGzip({ level: 1 }));
  delete answered.headers["content-length"];
  answered.headers["content-encoding"] = "gzip";
  answered.pipe = (destination, options) => compressed.pipe(destination, options);
}

function hasBody({ headers }: IncomingMessage): boolean {
  if (headers["transfer-encoding"] !== undefined) return true;
  return headers["content-length"] !== undefined && headers["content-length"] !== "0";
}
