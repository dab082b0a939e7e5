declare module "http_ece" {
  import type { ECDH } from "node:crypto";

  /** Decrypts a body that was encrypted by RFC 8188 for the key, with the secret of RFC 8291. */
  export function decrypt(
    body: Buffer,
    options: { version: "aes128gcm"; privateKey: ECDH; authSecret: string },
  ): Buffer;
}
