import { isIP } from "node:net";
import type { Request, RequestHandler } from "express";
import ipaddr from "ipaddr.js";

/** An address of IPv4, or one of IPv6 in brackets, with or without a port. */
const withPort = /^(?:(\d+\.\d+\.\d+\.\d+)|\[([\da-f:.]+(?:%[^\]]+)?)\])(?::\d{1,5})?$/i;

/**
 * The address in an entry of X-Forwarded-For, whichever way the proxy writes it: with a port, in brackets, in quotes.
 * Ports and zones are no part of it, and one address has one form: that of IPv4 where IPv6 only wraps it.
 *
 * @returns null for a text that is no address
 */
export function parseAddress(entry: string): string | null {
  const text = entry.trim().replace(/^"(.*)"$/, "$1");
  const [, ipv4, ipv6] = withPort.exec(text) ?? [];
  const [address = ""] = (ipv4 ?? ipv6 ?? text).split("%", 1);
  return isIP(address) === 0 ? null : ipaddr.process(address).toString();
}

/**
 * Lets Express see the plain addresses of X-Forwarded-For: Express compares the addresses of trusted proxies and of the
 * client as text. The list ends before an entry that is no address, so that the hop which wrote it counts as the
 * client.
 */
export function plainForwardedAddresses(): RequestHandler {
  return ({ headers }, _, next) => {
    const { "x-forwarded-for": forwarded } = headers;
    // Kept when nothing is left of it: metrics are not for requests that a proxy forwards.
    if (typeof forwarded === "string") headers["x-forwarded-for"] = plainAddresses(forwarded).join(", ");
    next();
  };
}

function plainAddresses(forwarded: string): string[] {
  const entries = forwarded.split(",").filter((entry) => entry.trim() !== "");
  const addresses = entries.map(parseAddress);
  return addresses.slice(addresses.lastIndexOf(null) + 1).flatMap((address) => address ?? []);
}

/** The address of a request's client, for limits and devices; `unknown` when its socket is closed already. */
export const clientAddressOf = ({ ip }: Request): string => (ip === undefined ? "unknown" : (parseAddress(ip) ?? ip));
