import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { waitUntil } from "@parley/testing";
import { onTestFinished } from "vitest";
import { z } from "zod";

/** A delivery as a receiver got it. */
export interface ReceivedDelivery {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
  /** By `performance.now()`, when the request's head had arrived. */
  readonly at: number;
}

/** A customer's HTTP server. */
export interface Receiver {
  readonly url: string;
  readonly port: number;
  /** Everything received, oldest first. */
  readonly received: ReceivedDelivery[];
  /** Resolves when that many deliveries have been received that fulfil the predicate. */
  readonly waitFor: (
    count: number,
    options?: { timeoutMs?: number; predicate?: (delivery: ReceivedDelivery) => boolean },
  ) => Promise<ReceivedDelivery[]>;
  readonly close: () => Promise<void>;
}

/** Answers a request that is the n-th of all, counted from 0. */
export type Answering = (response: ServerResponse, request: { n: number; delivery: ReceivedDelivery }) => void;

const answerNoContent: Answering = (response) => {
  response.statusCode = 204;
  response.end();
};

/** Starts a receiver; call `close` when it is no longer needed. */
export async function startReceiver(answer: Answering = answerNoContent, host = "127.0.0.1"): Promise<Receiver> {
  const received: ReceivedDelivery[] = [];
  const server = createServer((request, response) => {
    const at = performance.now();
    void buffer(request).then((body) => {
      const { method = "", url = "", headers } = request;
      const delivery = { method, path: url, headers, body, at };
      received.push(delivery);
      answer(response, { n: received.length - 1, delivery });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://${host}:${port}`,
    port,
    received,
    waitFor: (count, { timeoutMs, predicate = () => true } = {}) =>
      waitUntil(
        () => {
          const matching = received.filter(predicate);
          return matching.length >= count && matching;
        },
        { what: `${count} deliveries`, ...(timeoutMs === undefined ? {} : { timeoutMs }) },
      ),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Starts a receiver that is closed at the end of the test. */
export async function receiverOfTest(...options: Parameters<typeof startReceiver>): Promise<Receiver> {
  const receiver = await startReceiver(...options);
  onTestFinished(receiver.close);
  return receiver;
}

/** The event type of a delivery. */
export function eventOf({ body }: ReceivedDelivery): string {
  return z.object({ event: z.string() }).parse(JSON.parse(body.toString())).event;
}

/** The number of the attempt that a request says to be. */
export function attemptOf({ headers }: ReceivedDelivery): number {
  return Number(headers["x-service-delivery-attempt"]);
}
