import { Readable } from "node:stream";
import { LRUCache } from "lru-cache";
import webPush from "web-push";
import type { HttpClient } from "../attempts/http-client.js";
import { attemptTimeoutMs } from "../attempts/limits.js";
import {
  busyServiceMaxMs,
  busyServiceMs,
  keyKeptMs,
  pushTtlSeconds,
  vapidHeaderKeptMs,
  vapidHeadersMax,
} from "./limits.js";

/** The installation's key pair (VAPID), both base64url. */
export interface PushKey {
  publicKey: string;
  privateKey: string;
}

export type BeginAttempt = (write: () => void) => Promise<boolean>;

/** A push to make. */
export interface PushAttempt {
  endpoint: string;
  /** The account of the device. */
  ownerId: string;
  p256dh: string;
  auth: string;
  /** JSON. */
  payload: Buffer;
  isUrgent: boolean;
  /**
   * Called once there is a connection: calls `write` if the push goes, which hands it to the system at once, and resolves with
   * whether it does.
   */
  begin: BeginAttempt;
}

/** How it ended. */
export interface PushResult {
  /** Whether it was written. */
  begun: boolean;
  /** Whether it was not to be written any more. */
  refused: boolean;
  /** Null without an answer. */
  status: number | null;
  /** The pause that a busy push service asks for, in milliseconds; null when it is not busy. */
  busyMs: number | null;
  durationMs: number;
}

/** Encrypts (RFC 8291), signs (RFC 8292) and sends (RFC 8030) a push. Never rejects. */
export type SendPush = ReturnType<typeof createSendPush>;

/**
 * @param options.contact `mailto:` or https URL at which push services reach the operator
 * @param options.readKey reads the key pair; called again after a minute, so that a new pair is used without a restart
 */
export function createSendPush(options: {
  client: Pick<HttpClient, "post">;
  contact: string;
  readKey: () => Promise<PushKey>;
}) {
  const { client, contact, readKey } = options;
  let kept: { key: Promise<PushKey>; until: number } | null = null;
  const headers = new LRUCache<string, string>({ max: vapidHeadersMax, ttl: vapidHeaderKeptMs });

  const currentKey = (): Promise<PushKey> => {
    if (kept === null || kept.until <= performance.now()) {
      const reading = { key: readKey(), until: performance.now() + keyKeptMs };
      reading.key.catch(() => {
        if (kept === reading) kept = null;
      });
      kept = reading;
    }
    return kept.key;
  };

  /** Signed once for each push service and key pair, and valid for longer than it is used. */
  const authorizationFor = (origin: string, { publicKey, privateKey }: PushKey): string => {
    const name = `${publicKey} ${origin}`;
    const known = headers.get(name);
    if (known !== undefined) return known;
    const expiry = Math.floor((Date.now() + 2 * vapidHeaderKeptMs) / 1000);
    const made = webPush.getVapidHeaders(origin, contact, publicKey, privateKey, "aes128gcm", expiry).Authorization;
    headers.set(name, made);
    return made;
  };

  return async ({ endpoint, ownerId, p256dh, auth, payload, isUrgent, begin }: PushAttempt): Promise<PushResult> => {
    const startedAt = performance.now();
    let begun = false;
    let refused = false;
    const end = (status: number | null, busyMs: number | null = null): PushResult => ({
      begun,
      refused,
      status,
      busyMs,
      durationMs: performance.now() - startedAt,
    });
    try {
      const authorization = authorizationFor(new URL(endpoint).origin, await currentKey());
      const { cipherText } = webPush.encrypt(p256dh, auth, payload, "aes128gcm");
      const body = oncePossible((write) =>
        begin(() => {
          begun = true;
          write(cipherText);
        }).then((goes) => {
          refused = !goes;
          return goes;
        }),
      );
      const { status, headers: answered } = await client.post({
        url: endpoint,
        ownerId,
        headers: {
          authorization,
          "content-encoding": "aes128gcm",
          "content-type": "application/octet-stream",
          "content-length": String(cipherText.byteLength),
          ttl: String(pushTtlSeconds),
          urgency: isUrgent ? "high" : "normal",
        },
        body,
        timeoutMs: attemptTimeoutMs,
      });
      return end(status, status === 429 ? retryAfterMs(answered["retry-after"]) : null);
    } catch {
      return end(null);
    }
  };
}

/** A body that asks, once it can be written, whether it is to be; the request ends when it is not. */
function oncePossible(begin: (write: (bytes: Buffer) => void) => Promise<boolean>): Readable {
  let isAsked = false;
  const body: Readable = new Readable({
    read() {
      if (isAsked) return;
      isAsked = true;
      const write = (bytes: Buffer) => {
        body.push(bytes);
        body.push(null);
      };
      begin(write).then(
        (goes) => {
          if (!goes) body.destroy(new Error("The push is not to be sent any more"));
        },
        (error: Error) => body.destroy(error),
      );
    },
  });
  return body;
}

/** @param value seconds or a date; for anything else, and for more than a day, this service's own pause */
function retryAfterMs(value: string | string[] | undefined): number {
  const text = String(value ?? "");
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 1_000), busyServiceMaxMs) : busyServiceMs;
}
