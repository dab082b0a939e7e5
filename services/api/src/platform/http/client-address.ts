import { forwardedAddresses, parseAddress } from "@parley/auth";
import type { Request, RequestHandler } from "express";

/**
 * Lets Express see the plain addresses of X-Forwarded-For: Express compares the addresses of trusted proxies and of the
 * client as text. The list ends before an entry that is no address, so that the hop which wrote it counts as the
 * client.
 */
export function plainForwardedAddresses(): RequestHandler {
  return ({ headers }, _, next) => {
    const { "x-forwarded-for": forwarded } = headers;
    // Kept when nothing is left of it: metrics are not for requests that a proxy forwards.
    if (typeof forwarded === "string") headers["x-forwarded-for"] = forwardedAddresses(forwarded).join(", ");
    next();
  };
}

/** The address of a request's client, for limits and devices; `unknown` when its socket is closed already. */
export const clientAddressOf = ({ ip }: Request): string => (ip === undefined ? "unknown" : (parseAddress(ip) ?? ip));
