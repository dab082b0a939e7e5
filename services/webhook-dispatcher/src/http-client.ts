import { addAbortSignal, type Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createPublicConnector } from "@parley/egress";
import { Agent, request } from "undici";
import {
  answerBodyBytesMax,
  answerBodyTimeoutMs,
  answerHeadersBytesMax,
  answerUnreadBytesMax,
  idleConnectionMs,
} from "./limits.js";

/** No answer in time. */
export class AttemptTimeoutError extends Error {
  override readonly name = "AttemptTimeoutError";
}

/** Sends requests to customers' URLs, from which anything may come back. */
export type HttpClient = ReturnType<typeof createHttpClient>;

/** @param options.allowsAddress whether an address may be dialled */
export function createHttpClient({
  allowsAddress,
  connectTimeoutMs,
}: {
  allowsAddress: (address: string) => boolean;
  connectTimeoutMs: number;
}) {
  // One request per connection at a time, and as many connections as attempts: no attempt waits behind a slow receiver.
  const agent = new Agent({
    connect: createPublicConnector({ allows: allowsAddress, timeoutMs: connectTimeoutMs }),
    pipelining: 1,
    keepAliveTimeout: idleConnectionMs,
    keepAliveMaxTimeout: idleConnectionMs,
    maxHeaderSize: answerHeadersBytesMax,
    bodyTimeout: answerBodyTimeoutMs,
    // The attempt has one limit for everything up to the end of the headers.
    headersTimeout: 0,
  });
  return {
    /**
     * POSTs the bytes; follows no redirect.
     *
     * @returns status of the answer, and a promise that resolves once its body is read or discarded
     * @throws whatever ended the request before the end of the answer's headers, `timeoutMs` included
     */
    async post(options: { url: string; headers: Record<string, string>; body: Buffer; timeoutMs: number }) {
      const { url, headers, body, timeoutMs } = options;
      const target = new URL(url);
      const abort = new AbortController();
      const timer = setTimeout(() => abort.abort(new AttemptTimeoutError()), timeoutMs);
      try {
        const answer = await request(`${target.origin}${target.pathname}${target.search}`, {
          dispatcher: agent,
          method: "POST",
          headers: { ...headers, ...credentialsOf(target) },
          body,
          signal: abort.signal,
          highWaterMark: answerUnreadBytesMax,
        });
        // Not every receiver ends its body: the rest of the connection is worth a moment only.
        const drained = drain(answer.body).catch(() => undefined);
        return { status: answer.statusCode, drained };
      } finally {
        clearTimeout(timer);
      }
    },
    close: (): Promise<void> => agent.destroy(),
  };
}

/** Reads a body a little in each turn of the event loop, and closes its connection when it does not end soon. */
async function drain(body: Readable): Promise<void> {
  let size = 0;
  for await (const chunk of addAbortSignal(AbortSignal.timeout(answerBodyTimeoutMs), body)) {
    size += Buffer.byteLength(chunk);
    if (size > answerBodyBytesMax) return;
    await nextTurn();
  }
}

function credentialsOf({ username, password }: URL): Record<string, string> {
  if (username === "" && password === "") return {};
  const text = `${decode(username)}:${decode(password)}`;
  return { authorization: `Basic ${Buffer.from(text).toString("base64")}` };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A stray percent sign means itself.
    return part;
  }
}
