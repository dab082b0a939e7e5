import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

/** An account and its address. */
interface Addressee {
  userId: string;
  email: string;
}

/**
 * The tokens of links that end the mails about missed messages without a log-in (docs/protocol/notifications.md#26.3): the account's id,
 * and a MAC of it and its address. A link in a mail to a former address ends nothing.
 *
 * @param secrets the first makes tokens, all are accepted
 */
export function createUnsubscribeTokens(secrets: readonly [string, ...string[]]) {
  const keyOf = (secret: string) => Buffer.from(hkdfSync("sha256", secret, "", "mail-unsubscribe", 32));
  const [first, ...others] = secrets;
  const firstKey = keyOf(first);
  const keys = [firstKey, ...others.map(keyOf)];
  const macOf = (key: Buffer, { userId, email }: Addressee) =>
    createHmac("sha256", key).update(`${userId}:${email}`, "utf8").digest();
  return {
    /** The account's id and 64 hex digits. */
    issue: (addressee: Addressee): string => `${addressee.userId}.${macOf(firstKey, addressee).toString("hex")}`,
    /** The id of the account in a token; null for a text that is no token. */
    accountOf: (token: string): string | null => tokenPattern.exec(token)?.[1]?.toLowerCase() ?? null,
    isValid(token: string, addressee: Addressee): boolean {
      const mac = tokenPattern.exec(token)?.[2];
      if (mac === undefined) return false;
      const given = Buffer.from(mac, "hex");
      return keys.map((key) => timingSafeEqual(macOf(key, addressee), given)).includes(true);
    },
  };
}

const tokenPattern = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([0-9a-f]{64})$/i;

export type UnsubscribeTokens = ReturnType<typeof createUnsubscribeTokens>;

/** Path of the link with a token. */
export const unsubscribePath = "/mail/unsubscribe";
