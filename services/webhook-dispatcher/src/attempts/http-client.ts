import { addAbortSignal, type Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createPublicConnector, type NameResolver } from "@parley/egress";
import { traced } from "@parley/service-runtime";
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

/** The body of an answer is longer than it may be. */
export class AnswerTooLargeError extends Error {
  override readonly name = "AnswerTooLargeError";
}

interface Sent {
  url: string;
  /** The account that the receiver belongs to: look-ups of its names are few at a time. */
  ownerId: string;
  headers: Record<string, string>;
  /** A stream is read once there is a connection, and is as long as the header content-length says. */
  body: Buffer | Readable;
}

/** Sends requests to customers' URLs, from which anything may come back. */
export type HttpClient = ReturnType<typeof createHttpClient>;

/**
 * @param options.allowsAddress whether an address may be dialled
 * @param options.names looks up the hosts; all clients of a process share one
 */
export function createHttpClient({
  allowsAddress,
  names,
  connectTimeoutMs,
}: {
  allowsAddress: (address: string) => boolean;
  names: NameResolver;
  connectTimeoutMs: number;
}) {
  // One request per connection at a time, and as many connections as attempts: no attempt waits behind a slow receiver.
  const agent = new Agent({
    connect: createPublicConnector({ allows: allowsAddress, lookup: names.lookup, timeoutMs: connectTimeoutMs }),
    pipelining: 1,
    keepAliveTimeout: idleConnectionMs,
    keepAliveMaxTimeout: idleConnectionMs,
    maxHeaderSize: answerHeadersBytesMax,
    // The attempt has one limit for everything up to the end of the headers.
    headersTimeout: 0,
  });
  const send = ({ url, ownerId, headers, body }: Sent, signal: AbortSignal, bodyTimeout: number) => {
    const target = new URL(url);
    names.begin(target.hostname, ownerId);
    return traced("POST", { "server.address": target.hostname }, () =>
      request(`${target.origin}${target.pathname}${target.search}`, {
        dispatcher: agent,
        method: "POST",
        headers: { ...headers, ...credentialsOf(target) },
        body,
        signal,
        bodyTimeout,
        highWaterMark: answerUnreadBytesMax,
      }),
    );
  };
  return {
    /**
     * POSTs the bytes; follows no redirect.
     *
     * @returns status and headers of the answer, and a promise that resolves once its body is read or discarded
     * @throws the error that ended the request before the end of the answer's headers, `timeoutMs` included
     */
    post: (options: Sent & { timeoutMs: number }) =>
      withinTime(options.timeoutMs, async (signal) => {
        const answer = await send(options, signal, answerBodyTimeoutMs);
        // Not every receiver ends its body: the rest of the connection is worth a moment only.
        const drained = drain(answer.body).catch(() => undefined);
        return { status: answer.statusCode, headers: answer.headers, drained };
      }),
    /**
     * POSTs the bytes and reads the answer; follows no redirect.
     *
     * @param options.bytesMax most bytes of the answer's body
     * @throws the error that ended the request before the end of the answer, `timeoutMs` and `bytesMax` included
     */
    ask: (options: Sent & { timeoutMs: number; bytesMax: number }) =>
      withinTime(options.timeoutMs, async (signal) => {
        const { statusCode: status, body } = await send(options, signal, 0);
        return { status, body: await readWhole(body, options.bytesMax) };
      }),
    close: (): Promise<void> => agent.destroy(),
  };
}

async function withinTime<Result>(timeoutMs: number, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(new AttemptTimeoutError()), timeoutMs);
  try {
    return await work(abort.signal);
  } finally {
    clearTimeout(timer);
  }
}

/** A loop that ends early closes the connection. */
async function readWhole(body: Readable, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    const bytes = Buffer.from(chunk);
    size += bytes.byteLength;
    if (size > bytesMax) throw new AnswerTooLargeError();
    chunks.push(bytes);
    await nextTurn();
  }
  return Buffer.concat(chunks);
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
