import { generateKeyPairSync } from "node:crypto";
import { z } from "zod";
import type { Queryable } from "./queryable.js";
import { defineStatement } from "./statement.js";

/** The key pair (VAPID, RFC 8292) of an installation, both base64url. */
export interface PushKeyPair {
  /** The point of P-256, uncompressed: 65 bytes. */
  publicKey: string;
  /** The scalar: 32 bytes. */
  privateKey: string;
}

const readStatement = defineStatement({
  name: "push_key_read",
  text: `SELECT public_key AS "publicKey", private_key AS "privateKey" FROM push_keys`,
  row: z.object({ publicKey: z.string(), privateKey: z.string() }),
});

const storeStatement = defineStatement({
  name: "push_key_store",
  text: "INSERT INTO push_keys (public_key, private_key) VALUES ($1, $2) ON CONFLICT DO NOTHING",
});

/** Reads the key pair of the installation. The first one to ask makes it; of several at once, all get the same. */
export async function readPushKey(database: Queryable): Promise<PushKeyPair> {
  const [stored] = await database.query(readStatement, []);
  if (stored !== undefined) return stored;
  const { publicKey, privateKey } = makePushKey();
  await database.execute(storeStatement, [publicKey, privateKey]);
  return readPushKey(database);
}

function makePushKey(): PushKeyPair {
  const {
    x = "",
    y = "",
    d = "",
  } = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
  return { publicKey: point.toString("base64url"), privateKey: d };
}
