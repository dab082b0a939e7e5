import type { WebhookEvents } from "./generated/index.js";

/** What a webhook delivers: `event` is the type of `data`. */
export type WebhookDelivered = {
  [Name in keyof WebhookEvents]: {
    /** What happened. */
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

/**
 * The event of a delivery, whose signature is checked as Standard Webhooks has it: over its id, its time and its body.
 *
 * @param delivery `secret`: that of the webhook; `body`: exactly as it arrived; `toleranceSeconds`: how far the time of
 * the delivery may be from that of this machine, 5 minutes by default, so that a recorded delivery is of no use later
 * @throws WebhookVerificationError for a delivery that is not genuine, or whose time is too far away
 */
export async function verifyWebhook(delivery: {
  secret: string;
  headers: WebhookHeaders;
  body: string | Uint8Array;
  toleranceSeconds?: number;
}): Promise<WebhookDelivered> {
  const { secret, headers, toleranceSeconds = 300 } = delivery;
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) => read(headers, `webhook-${name}`));
  if (!id || !timestamp || !signatures) {
    throw new WebhookVerificationError("The headers webhook-id, webhook-timestamp and webhook-signature are missing");
  }
  const distance = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || distance > toleranceSeconds) {
    throw new WebhookVerificationError(`The time of the delivery is not within ${toleranceSeconds} s of now`);
  }
  const encoder = new TextEncoder();
  const body = typeof delivery.body === "string" ? encoder.encode(delivery.body) : delivery.body;
  const signed = new Uint8Array(await new Blob([`${id}.${timestamp}.`, new Uint8Array(body)]).arrayBuffer());
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["verify"]);
  for (const signature of signatures.split(" ")) {
    const bytes = signature.startsWith("v1,") ? fromBase64(signature.slice(3)) : null;
    // Compares in constant time.
    if (bytes !== null && (await crypto.subtle.verify("HMAC", key, bytes, signed))) return parse(body);
  }
  throw new WebhookVerificationError("No signature of the delivery is that of the secret");
}

function parse(body: Uint8Array): WebhookDelivered {
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
