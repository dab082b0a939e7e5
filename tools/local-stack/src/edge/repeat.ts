import type { IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { repeatableBodyBytes } from "./limits.js";

const withNonce = /^(\/api)?\/((dm-)?channels\/[^/]+\/messages|channels\/[^/]+\/(messages\/[^/]+\/thread|polls))\/?$/;

/**
 * Whether a request may be done twice (docs/protocol/repetition.md#21), by the rules of deploy/nginx/repeat.conf:
 * reading, and a request with a nonce where one counts. The nonce is in the body, so this reads the bodies of such
 * requests, and returns null for all others.
 *
 * @throws the error of the request's stream when the client leaves in the middle of it
 */
export async function readRepeatable(request: IncomingMessage): Promise<{ repeats: boolean; body: Buffer | null }> {
  const { method, url = "", headers } = request;
  const bytes = Number(headers["content-length"] ?? 0);
  if (method === "GET" || method === "HEAD") return { repeats: bytes === 0, body: null };
  const isMessage = method === "POST" && withNonce.test(url.split("?", 1)[0] ?? "");
  const isJson = headers["content-type"]?.startsWith("multipart/") !== true;
  if (!isMessage || !isJson || !(bytes > 0 && bytes <= repeatableBodyBytes)) return { repeats: false, body: null };
  const body = await buffer(request);
  return { repeats: hasNonce(body.toString()), body };
}

function hasNonce(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && "nonce" in value && typeof value.nonce === "string";
  } catch {
    return false;
  }
}
