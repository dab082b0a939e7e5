import { isIP } from "node:net";
import { errorTexts, ServiceError } from "@parley/contracts";

/** The relying party of WebAuthn: whom passkeys are made for. */
export interface Site {
  /** Host name that the passkeys belong to. */
  id: string;
  /** The origin of the pages that may ask for them. */
  origin: string;
}

/**
 * @param publicUrl the installation's address (`PUBLIC_URL`)
 * @returns null where passkeys are off: browsers have them for secure pages of a named host only
 */
export function passkeySite(publicUrl: string | undefined): Site | null {
  if (publicUrl === undefined) return null;
  const { protocol, hostname, origin } = new URL(publicUrl);
  const isSecure = protocol === "https:" || hostname === "localhost";
  return isSecure && isIP(hostname.replace(/^\[|\]$/g, "")) === 0 ? { id: hostname, origin } : null;
}

/** @throws ServiceError 503 where passkeys are off */
export function requireSite(site: Site | null): Site {
  if (site === null) throw new ServiceError("not_configured", errorTexts.passkeys_not_configured);
  return site;
}

/** How authenticators name an account: its id's bytes. */
export function userHandleOf(userId: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(userId.replaceAll("-", ""), "hex"));
}
