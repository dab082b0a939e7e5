import type { NewInteraction, WebhookEvents } from "./generated/index.js";

/** The body of a webhook's delivery: `event` is the type of `data`. */
export type WebhookDelivered = {
  [Name in keyof WebhookEvents]: {
    /** Name of the event. */
    readonly event: Name;
    /** The server of the webhook. */
    readonly server_id: string;
    /** The object that it is about. */
    readonly data: WebhookEvents[Name];
  };
}[keyof WebhookEvents];

/** A delivery that is not genuine, or too old. */
export class WebhookVerificationError extends Error {
  /** Identifies the error where `instanceof` does not work, because the class was loaded twice. */
  override readonly name = "WebhookVerificationError";
}

/** Headers as `fetch`, Node.js or a framework has them. */
export type WebhookHeaders = Pick<Headers, "get"> | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A request as it arrived. */
export interface SignedRequest {
  /** That of the webhook or bot. */
  readonly secret: string;
  /** As `fetch`, Node.js or a framework has them. */
  readonly headers: WebhookHeaders;
  /** Exactly as it arrived. */
  readonly body: string | Uint8Array;
  /**
   * How far the time of the request may be from that of this machine, 5 minutes by default, so that a recorded one is of no use
   * later.
   */
  readonly toleranceSeconds?: number;
}

/**
 * The event of a delivery, whose signature is checked as Standard Webhooks has it: over its id, its time and its body.
 *
 * @param delivery the request, with the `secret` of the webhook
 * @throws WebhookVerificationError for a delivery that is not genuine, or whose time is too far away
 */
export async function verifyWebhook(delivery: SignedRequest): Promise<WebhookDelivered> {
  return parse(await verifiedBody(delivery));
}

/**
 * The interaction in a request to a bot's `interactions_url`, whose signature is checked as that of a webhook's delivery is. The
 * body of an answer with 200 is the answer to it, `{type, data}`; 204 means that it comes by `interactions.answer`.
 *
 * @param request the request, with the `interactions_secret` of the bot
 * @throws WebhookVerificationError for a request that is not genuine, or whose time is too far away
 */
export async function verifyInteraction(request: SignedRequest): Promise<NewInteraction> {
  return parse(await verifiedBody(request));
}

/** @throws WebhookVerificationError */
async function verifiedBody(request: SignedRequest): Promise<Uint8Array> {
  const { secret, headers, toleranceSeconds = 300 } = request;
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) => read(headers, `webhook-${name}`));
  if (!id || !timestamp || !signatures) {
    throw new WebhookVerificationError("The headers webhook-id, webhook-timestamp and webhook-signature are missing");
  }
  const distance = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || distance > toleranceSeconds) {
    throw new WebhookVerificationError(`The time of the delivery is not within ${toleranceSeconds} s of now`);
  }
  const encoder = new TextEncoder();
  const body = typeof request.body === "string" ? encoder.encode(request.body) : request.body;
  const signed = new Uint8Array(await new Blob([`${id}.${timestamp}.`, new Uint8Array(body)]).arrayBuffer());
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["verify"]);
  for (const signature of signatures.split(" ")) {
    const bytes = signature.startsWith("v1,") ? fromBase64(signature.slice(3)) : null;
    // Compares in constant time.
    if (bytes !== null && (await crypto.subtle.verify("HMAC", key, bytes, signed))) return body;
  }
  throw new WebhookVerificationError("No signature of the delivery is that of the secret");
}

function parse<Genuine extends WebhookDelivered | NewInteraction>(body: Uint8Array): Genuine {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch (cause) {
    throw new WebhookVerificationError("The body is no JSON", { cause });
  }
}

function read(headers: WebhookHeaders, name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) ?? undefined;
  const key = Object.keys(headers).find((each) => each.toLowerCase() === name);
  const value = key === undefined ? undefined : headers[key];
  return typeof value === "string" ? value : value?.[0];
}

function isHeaders(headers: WebhookHeaders): headers is Pick<Headers, "get"> {
  return typeof headers.get === "function";
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
