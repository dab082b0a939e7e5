import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";

const generatedToken = /^[0-9a-f]{64}$/;

/** A fresh secret of 256 random bits as 64 lower-case hex characters: bot tokens, webhook secrets, refresh tokens. */
export function generateToken(): string {
  return randomBytes(32).toString("hex");
}

/** Whether the value has the form of `generateToken`'s results. */
export function isGeneratedToken(value: unknown): value is string {
  return typeof value === "string" && generatedToken.test(value);
}

/** SHA-256 of a token as lower-case hex: the only form in which tokens are stored. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token, "utf8").digest("hex");
}

/**
 * Encrypts a token under another token or a secret: the successor of a refresh token, which the old token yields again
 * within the grace (docs/protocol/accounts.md#5.1) although only hashes of tokens are stored.
 *
 * @param key a token of 256 random bits or a secret; without it the result is unreadable
 * @param purpose the kind of token, so that keys of different purposes differ
 * @returns nonce, ciphertext and tag of AES-256-GCM in base64url
 */
export function sealToken(key: string, token: string, purpose: SealPurpose = "refresh-successor"): string {
  const nonce = randomBytes(sealNonceBytes);
  const cipher = createCipheriv(sealCipher, sealKey(key, purpose), nonce);
  return Buffer.concat([nonce, cipher.update(token, "utf8"), cipher.final(), cipher.getAuthTag()]).toString(
    "base64url",
  );
}

/**
 * Reads a token that {@link sealToken} sealed with the same key and purpose.
 *
 * @throws Error when it was sealed with another key, or changed
 */
export function openSealedToken(key: string, sealed: string, purpose: SealPurpose = "refresh-successor"): string {
  const bytes = Buffer.from(sealed, "base64url");
  const decipher = createDecipheriv(sealCipher, sealKey(key, purpose), bytes.subarray(0, sealNonceBytes));
  decipher.setAuthTag(bytes.subarray(-sealTagBytes));
  return decipher.update(bytes.subarray(sealNonceBytes, -sealTagBytes), undefined, "utf8") + decipher.final("utf8");
}

type SealPurpose = "refresh-successor" | "second-factor" | "sign-in-attempt";

const sealCipher = "aes-256-gcm";
const sealNonceBytes = 12;
const sealTagBytes = 16;

/** Not the hash that is stored of the token: that one must not open anything. */
function sealKey(token: string, purpose: SealPurpose): Buffer {
  return Buffer.from(hkdfSync("sha256", token, "", purpose, 32));
}

/**
 * The successor that versions before the stored ones derived from JWT_SECRET: 43 characters of base64url. Needed for
 * tokens that such a version exchanged within the last minute, while old and new processes run side by side.
 */
export function deriveSuccessor(secret: string, token: string): string {
  // The prefix keeps these values apart from everything else that is signed with the same secret.
  return createHmac("sha256", secret).update(`refresh-successor:${token}`, "utf8").digest("base64url");
}
