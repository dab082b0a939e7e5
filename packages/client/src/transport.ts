import { readJson } from "./answer.js";
import { foreign } from "./error.js";
import { exchange, type Read } from "./exchange.js";
import type { TransportRequest, TransportSettings } from "./request.js";
import { RequestQueue } from "./request-queue.js";

/** A list with the address of its next page. */
export interface Page<Item> {
  readonly items: Item[];
  /** `path` of the request for the next page; null after the last one. */
  readonly next: string | null;
}

/** Sends requests: with credentials, repeated where that is safe, held back by the limits of the server. */
export interface Transport {
  json<Answer>(request: TransportRequest): Promise<Answer>;
  /** Null for an answer without a body. */
  jsonIfAny<Answer>(request: TransportRequest): Promise<Answer | null>;
  page<Item>(request: TransportRequest): Promise<Page<Item>>;
  text(request: TransportRequest): Promise<string>;
  blob(request: TransportRequest): Promise<Blob>;
  none(request: TransportRequest): Promise<void>;
}

/** Makes a transport. */
export function createTransport(settings: TransportSettings): Transport {
  const queues = {
    auth: new RequestQueue(settings.rateLimitWaitMaxMs),
    rest: new RequestQueue(settings.rateLimitWaitMaxMs),
  };

  const send = <Result>(asked: TransportRequest, read: Read<Result>): Promise<Result> => {
    const request = withNonce(asked);
    const isAuth = /^(\/api)?\/auth\//.test(request.path);
    const queue = request.unlimited === true ? null : isAuth ? queues.auth : queues.rest;
    return exchange({ settings, request, queue, read });
  };

  return {
    json: <Answer>(request: TransportRequest) => send<Answer>(request, readJson),
    jsonIfAny: <Answer>(request: TransportRequest) =>
      send<Answer | null>(request, async (response, address) =>
        response.status === 204 ? null : readJson(response, address),
      ),
    page: (request) =>
      send(request, async (response, address) => ({
        items: await readJson(response, address),
        next: /<([^>]+)>;\s*rel="next"/.exec(response.headers.get("link") ?? "")?.[1] ?? null,
      })),
    text: (request) => send(request, (response) => response.text()),
    blob: (request) => send(request, (response) => response.blob()),
    none: (request) =>
      send(request, async (response, address) => {
        if (/\bhtml\b/.test(response.headers.get("content-type") ?? "")) throw foreign(response, address);
        await response.body?.cancel();
      }),
  };
}

/** A message that is sent again after a lost answer is the same message. */
function withNonce(request: TransportRequest): TransportRequest {
  if (request.hasNonce !== true) return request;
  const body = { nonce: crypto.randomUUID(), ...request.body };
  return { ...request, body };
}
