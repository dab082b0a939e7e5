/**
 * Whether a delivery of a webhook is genuine.
 *
 * @param delivery the secret of the webhook, the header `X-Service-Signature-256`, and the body exactly as it arrived
 */
export async function verifyWebhook(delivery: {
  secret: string;
  signature: string | null | undefined;
  body: string | Uint8Array<ArrayBuffer>;
}): Promise<boolean> {
  const hex = /^sha256=([0-9a-f]{64})$/.exec(delivery.signature ?? "")?.[1];
  if (hex === undefined) return false;
  const signature = Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(delivery.secret), algorithm, false, ["verify"]);
  const body = typeof delivery.body === "string" ? encoder.encode(delivery.body) : delivery.body;
  // Compares in constant time.
  return crypto.subtle.verify("HMAC", key, signature, body);
}
