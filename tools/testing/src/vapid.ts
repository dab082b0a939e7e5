import { createPublicKey, verify } from "node:crypto";
import { z } from "zod";

/** Longest time for which a token may be valid (RFC 8292, section 2). */
const expiryMaxSeconds = 86_400;

const jsonPart = (part: string | undefined): unknown => JSON.parse(Buffer.from(part ?? "", "base64url").toString());
const Header = z.looseObject({ typ: z.literal("JWT"), alg: z.literal("ES256") });
const Claims = z.looseObject({ aud: z.string(), exp: z.int(), sub: z.string().regex(/^(mailto:.+@.+|https:\/\/.+)/) });

/**
 * Checks an Authorization header of RFC 8292: a token for this origin that is signed with the key beside it.
 *
 * @param origin of the push service
 * @returns the key, base64url
 * @throws Error that names the fault
 */
export function checkVapid(authorization: string, origin: string): string {
  const [, token = "", key = ""] = /^vapid t=([\w-]+\.[\w-]+\.[\w-]+), ?k=([\w-]+)$/i.exec(authorization) ?? [];
  if (key === "") throw new Error(`no vapid header: ${authorization}`);
  const [header, claims, signature = ""] = token.split(".");
  Header.parse(jsonPart(header));
  const signed = verify(
    "sha256",
    Buffer.from(`${header}.${claims}`),
    { key: publicKey(key), dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  if (!signed) throw new Error("the token is not signed with the key beside it");
  const { aud, exp } = Claims.parse(jsonPart(claims));
  if (aud !== origin) throw new Error(`the token is for ${aud}, not for ${origin}`);
  const left = exp - Date.now() / 1_000;
  if (left <= 0) throw new Error("the token has expired");
  // A second for the clock that rounds up.
  if (left > expiryMaxSeconds + 1) throw new Error("the token is valid for more than 24 hours");
  return key;
}

function publicKey(key: string) {
  const point = Buffer.from(key, "base64url");
  if (point.length !== 65 || point[0] !== 4) throw new Error("the key is no uncompressed point");
  const coordinate = (from: number) => point.subarray(from, from + 32).toString("base64url");
  return createPublicKey({
    key: { kty: "EC", crv: "P-256", x: coordinate(1), y: coordinate(33) },
    format: "jwk",
  });
}
