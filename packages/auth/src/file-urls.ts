import { createHmac, timingSafeEqual } from "node:crypto";
/** An attachment by the last two segments of its address (docs/protocol/messages.md#7.6). */
export interface AttachmentName {
  message_id: string;
  stored_name: string;
}

/** How long a signed address of a file is valid, in seconds (docs/protocol/messages.md#7.6). */
const fileUrlLifeSeconds = 86_400;

/** A key for pictures of third parties is valid for one to two of these. */
const pictureKeyStepSeconds = 86_400;

/** The query of a signed address as it arrived. */
export interface FileSignature {
  exp?: string | undefined;
  sig?: string | undefined;
}

/**
 * @param options.secret the setting FILE_URL_SECRET; undefined derives one from `jwtSecret` by HMAC, so that signatures
 * of addresses reveal nothing about access tokens
 */
export function createFileUrls(options: { secret: string | undefined; jwtSecret: string }) {
  const secret = options.secret ?? createHmac("sha256", options.jwtSecret).update("file-urls").digest();
  const pictureSecret = createHmac("sha256", secret).update("embed-pictures").digest();
  const pictureSignatureOf = (url: string) => createHmac("sha256", pictureSecret).update(url).digest("hex");
  const signatureOf = ({ message_id, stored_name }: AttachmentName, exp: string) =>
    createHmac("sha256", secret).update(`${message_id}/${stored_name}:${exp}`).digest("hex");

  return {
    /** Relative to the API base, without `/api` (docs/protocol/objects.md#4.14). */
    sign(name: AttachmentName, nowMs = Date.now()): string {
      const exp = String(Math.floor(nowMs / 1000) + fileUrlLifeSeconds);
      return `/files/${name.message_id}/${name.stored_name}?exp=${exp}&sig=${signatureOf(name, exp)}`;
    },
    /**
     * The address of a third party's picture on this instance, relative to the API base. It does not expire, so that the same
     * picture keeps the same address for browsers (docs/protocol/apps.md#25.4).
     */
    signPicture(url: string): string {
      return `/embed-pictures?url=${encodeURIComponent(url)}&sig=${pictureSignatureOf(url)}`;
    },
    /** Whether `signPicture` made the address. */
    verifyPicture: (url: string, sig: string): boolean => isSame(pictureSignatureOf(url), sig),
    /**
     * A key with which any picture of a third party can be read through this instance, the same for everybody on one day
     * (docs/protocol/apps.md#25.4): browsers keep a picture by its address.
     */
    pictureKey(nowMs = Date.now()): { key: string; endsAt: Date } {
      const exp = (Math.floor(nowMs / 1000 / pictureKeyStepSeconds) + 2) * pictureKeyStepSeconds;
      return { key: `${exp}.${pictureSignatureOf(String(exp))}`, endsAt: new Date(exp * 1000) };
    },
    /** Whether `pictureKey` made the key and it has not expired. */
    verifyPictureKey(key: string, nowMs = Date.now()): boolean {
      const [exp = "", sig = ""] = key.split(".", 2);
      if (!/^\d{1,12}$/.test(exp) || Number(exp) * 1000 <= nowMs) return false;
      return isSame(pictureSignatureOf(exp), sig);
    },
    /** Whether `sign` made an address and it has not expired. */
    verify(name: AttachmentName, { exp = "", sig = "" }: FileSignature, nowMs = Date.now()): boolean {
      if (!/^\d{1,12}$/.test(exp) || Number(exp) * 1000 <= nowMs) return false;
      return isSame(signatureOf(name, exp), sig);
    },
  };
}

function isSame(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Addresses that give their holder read access to a file for a day (docs/protocol/messages.md#7.6). */
export type FileUrls = ReturnType<typeof createFileUrls>;
