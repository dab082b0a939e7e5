import { createHmac } from "node:crypto";

/** The input of one attempt's signature. */
export interface SignedAttempt {
  /** The secret of the webhook or bot: 64 hex characters, used as they are and not decoded. */
  secret: string;
  /** The id of the delivery or interaction. */
  deliveryId: string;
  /** The exact bytes that are sent. */
  body: Buffer;
  /** Time of the attempt, Unix seconds. */
  timestamp: number;
}

/**
 * The signature headers of an attempt: our own over the body (docs/protocol/webhooks.md#13.2), and those of Standard Webhooks
 * over `<webhook-id>.<webhook-timestamp>.<body>`. Both use the same key; libraries of Standard Webhooks take it as
 * `whsec_` + base64 of the 64 characters.
 */
export function signatureHeaders({ secret, deliveryId, body, timestamp }: SignedAttempt): Record<string, string> {
  const ownSignature = createHmac("sha256", secret).update(body).digest("hex");
  const standardSignature = createHmac("sha256", secret)
    .update(`${deliveryId}.${timestamp}.`)
    .update(body)
    .digest("base64");
  return {
    "x-service-signature-256": `sha256=${ownSignature}`,
    "webhook-id": deliveryId,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": `v1,${standardSignature}`,
  };
}

const userAgent = "Parley-Webhooks/1.0";

/** All headers of an attempt that is made now (docs/protocol/webhooks.md#13.2). */
export function attemptHeaders(attempt: {
  /** The webhook or bot. */
  receiverId: string;
  /** From 1. */
  number: number;
  secret: string;
  deliveryId: string;
  body: Buffer;
}): Record<string, string> {
  const { receiverId, number, secret, deliveryId, body } = attempt;
  return {
    "content-type": "application/json",
    "user-agent": userAgent,
    "x-service-hook-id": receiverId,
    "x-service-delivery-attempt": String(number),
    "x-service-delivery-id": deliveryId,
    ...signatureHeaders({ secret, deliveryId, body, timestamp: Math.floor(Date.now() / 1000) }),
  };
}
