import { createHmac } from "node:crypto";

/** What one attempt signs. */
export interface SignedAttempt {
  /** The webhook's secret: 64 hex characters, used as they are and not decoded. */
  secret: string;
  deliveryId: string;
  /** The exact bytes that are sent. */
  body: Buffer;
  /** Time of the attempt, Unix seconds. */
  timestamp: number;
}

/**
 * The signature headers of an attempt: our own over the body (docs/interface.md#13.2), and those of Standard Webhooks
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
