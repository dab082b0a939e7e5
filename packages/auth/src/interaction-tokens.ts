import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

/**
 * The tokens by which bots answer (docs/protocol/apps.md#25.3): a MAC of the interaction's id, so that a wrong one is recognised without a
 * look into the database.
 *
 * @param secrets the first makes tokens, all are accepted
 */
export function createInteractionTokens(secrets: readonly [string, ...string[]]) {
  const keyOf = (secret: string) => Buffer.from(hkdfSync("sha256", secret, "", "interaction-token", 32));
  const [first, ...others] = secrets;
  const firstKey = keyOf(first);
  const keys = [firstKey, ...others.map(keyOf)];
  const macOf = (key: Buffer, id: string) => createHmac("sha256", key).update(id).digest();
  return {
    /** 64 hex digits. */
    issue: (id: string): string => macOf(firstKey, id).toString("hex"),
    isValid(id: string, token: string): boolean {
      if (!/^[0-9a-f]{64}$/.test(token)) return false;
      const given = Buffer.from(token, "hex");
      return keys.map((key) => timingSafeEqual(macOf(key, id.toLowerCase()), given)).includes(true);
    },
  };
}

export type InteractionTokens = ReturnType<typeof createInteractionTokens>;
