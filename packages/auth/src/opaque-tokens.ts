import { createHash, createHmac, randomBytes } from "node:crypto";

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
 * The successor of a refresh token (contract 5.1): 43 characters of base64url. The same token always has the same
 * successor, so a token presented again within the grace yields what it yielded before although only hashes are stored.
 */
export function deriveSuccessor(secret: string, token: string): string {
  // The prefix keeps these values apart from everything else that is signed with the same secret.
  return createHmac("sha256", secret).update(`refresh-successor:${token}`, "utf8").digest("base64url");
}
