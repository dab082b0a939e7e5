import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { listSetting } from "@parley/service-runtime";
import { createNetworkTest, forwardedAddresses, parseNetwork } from "./addresses.js";

/** Networks by the names that Express knows for them. */
const named: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.0/8", "::1/128"],
  linklocal: ["169.254.0.0/16", "fe80::/10"],
  uniquelocal: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
};

const networksOf = (entry: string): readonly string[] =>
  named[entry] ?? [isIP(entry) === 0 ? entry : `${entry}/${isIP(entry) === 4 ? 32 : 128}`];

/** TRUST_PROXY of every service that needs the addresses of its clients. */
export const trustProxySetting = () =>
  listSetting({
    purpose: "Proxies whose X-Forwarded-For counts, comma list of addresses and CIDRs",
    isEntry: (entry) => networksOf(entry).every((network) => parseNetwork(network) !== null),
    entries: "addresses and CIDRs such as 10.1.0.0/16",
  });

/**
 * Tells the address of a request's client: the last one of X-Forwarded-For that no trusted proxy has.
 *
 * @param trusted entries of TRUST_PROXY
 * @returns answers `unknown` where the socket is closed already
 */
export function createClientAddress(
  trusted: readonly string[],
): (request: Pick<IncomingMessage, "headers" | "socket">) => string {
  const isTrusted = createNetworkTest(trusted.flatMap(networksOf).flatMap((network) => parseNetwork(network) ?? []));
  return ({ headers, socket }) => {
    const hops = forwardedAddresses(String(headers["x-forwarded-for"] ?? ""));
    hops.push(socket.remoteAddress ?? "unknown");
    return hops.findLast((hop) => !isTrusted(hop)) ?? hops[0] ?? "unknown";
  };
}
