import type { HttpClient } from "../attempts/http-client.js";
import { AttemptTimeoutError } from "../attempts/http-client.js";
import { attemptTimeoutMs } from "../attempts/limits.js";
import { attemptHeaders } from "../attempts/signature.js";
import { errorLengthMax } from "./limits.js";

/** One attempt to make. */
export interface Attempt {
  webhookId: string;
  /** The owner of its server. */
  ownerId: string;
  url: string;
  secret: string;
  deliveryId: string;
  /** 1 to 3. */
  number: number;
  body: Uint8Array;
}

/** How an attempt ended. */
export interface AttemptOutcome {
  ok: boolean;
  /** Null when there was no answer. */
  responseStatus: number | null;
  /** From dialling to the end of the answer's headers, or to the failure. */
  durationMs: number;
  /** Null when it succeeded. */
  error: string | null;
  /** When it ended. */
  endedAt: Date;
  /** Resolves when the connection is free again. */
  drained: Promise<void>;
}

/** Makes one attempt (docs/protocol/webhooks.md#13.2): signed, bounded, no redirects. Never throws. */
export async function deliver(client: Pick<HttpClient, "post">, attempt: Attempt): Promise<AttemptOutcome> {
  const { webhookId, ownerId, url, secret, deliveryId, number } = attempt;
  const body = Buffer.from(attempt.body);
  const startedAt = performance.now();
  const end = (responseStatus: number | null, error: string | null, drained = Promise.resolve()): AttemptOutcome => ({
    ok: error === null,
    responseStatus,
    durationMs: Math.round(performance.now() - startedAt),
    error,
    endedAt: new Date(),
    drained,
  });
  try {
    const { status, drained } = await client.post({
      url,
      ownerId,
      headers: attemptHeaders({ receiverId: webhookId, number, secret, deliveryId, body }),
      body,
      timeoutMs: attemptTimeoutMs,
    });
    return end(status, status >= 200 && status < 300 ? null : `Answered ${status}`, drained);
  } catch (error) {
    return end(null, describeFailure(error));
  }
}

/** Text of the reason why an attempt had no answer, for the managers of the webhook. */
export function describeFailure(error: unknown): string {
  if (error instanceof AttemptTimeoutError) return `No answer within ${attemptTimeoutMs / 1000} seconds`;
  if (!(error instanceof Error)) return "Failed";
  // Every address of a name was tried and failed in its own way; the first failure is reported.
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const text = cause instanceof Error ? cause.message : error.message;
  return (text === "" ? error.name : text).slice(0, errorLengthMax);
}
