import { ECDH } from "node:crypto";
import { clearableName } from "@parley/contracts";
import { z } from "zod";
import { deliveryUrl } from "../../platform/http/input.js";
import { namedFaults } from "../../platform/http/named-faults.js";

/** The rule of an endpoint; also the fault of one by plain HTTP. */
export const endpointRule = "must be an https:// URL of at most 2048 bytes without a name or password";
const endpointBytesMax = 2048;

const endpoint = deliveryUrl({ invalid: endpointRule, tooLong: endpointRule, max: endpointBytesMax })
  .transform((value) => new URL(value).href)
  .refine((href) => Buffer.byteLength(href) <= endpointBytesMax && !hasUser(new URL(href)), endpointRule);

function hasUser({ username, password }: URL): boolean {
  return username !== "" || password !== "";
}

/** Bytes as base64url without padding. */
const base64url = (isRight: (bytes: Buffer) => boolean, rule: string) =>
  z.string(rule).refine((value) => {
    const bytes = Buffer.from(value, "base64url");
    return bytes.toString("base64url") === value && isRight(bytes);
  }, rule);

/** Whether bytes are an uncompressed point of P-256, as RFC 8291 has it. */
function isPoint(bytes: Buffer): boolean {
  if (bytes.length !== 65 || bytes[0] !== 4) return false;
  try {
    // Refuses a point that is not on the curve.
    ECDH.convertKey(bytes, "prime256v1");
    return true;
  } catch {
    return false;
  }
}

const keys = z.object({
  p256dh: base64url(isPoint, "must be an uncompressed point of P-256 in base64url"),
  auth: base64url((bytes) => bytes.length === 16, "must be 16 bytes in base64url"),
});

const labelRule = "must be at most 100 characters";
const label = clearableName(100, labelRule).optional();

const fields = { endpoint, keys, label };

/** A fault is named by its path (docs/protocol/notifications.md#26.2). */
export const subscribeBody = z.object({
  endpoint: namedFaults("endpoint", fields.endpoint),
  keys: namedFaults("keys", fields.keys),
  label: namedFaults("label", fields.label).optional(),
});
export type Subscribe = z.output<typeof subscribeBody>;
/** The same for the API description. */
export const describedSubscribeBody = z.object(fields);
