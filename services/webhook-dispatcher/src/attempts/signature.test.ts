import { expect, test } from "vitest";
import { signatureHeaders } from "./signature.js";

const secret = "0123456789abcdef".repeat(4);
const deliveryId = "0190a5b4-7c1d-7e3a-9f00-1b2c3d4e5f60";
const body = Buffer.from('{"event":"ping"}');

// Made with: printf '%s' '{"event":"ping"}' | openssl dgst -sha256 -hmac "$secret", and for the other one
// printf '%s' "$id.1700000000.$body" | openssl dgst -sha256 -hmac "$secret" -binary | base64
test("the signatures cover the body, and id, time and body, with the characters of the secret as key", () => {
  expect(signatureHeaders({ secret, deliveryId, body, timestamp: 1_700_000_000 })).toEqual({
    "x-service-signature-256": "sha256=a8a46bd6664240f2ef857b22b4e1359497c6338d4d40b9cb1ff2157ac111806f",
    "webhook-id": deliveryId,
    "webhook-timestamp": "1700000000",
    "webhook-signature": "v1,b1/aBZnSv6KjDAZZAny4emUkGrlYDUeWXVGzhtzS8Kc=",
  });
});

test("the signatures cover bytes, not text", () => {
  const bytes = Buffer.from([0xff, 0x00, 0xe2, 0x98]);
  const changed = Buffer.from([0xfe, 0x00, 0xe2, 0x98]);
  const sign = (body: Buffer) => signatureHeaders({ secret, deliveryId, body, timestamp: 1 });
  expect(sign(bytes)).not.toEqual(sign(changed));
});
