import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Which addresses may be dialled. */
export interface AddressRule {
  /** Every address; for development. */
  allowPrivate: boolean;
  /** CIDRs that are allowed although they are not public. */
  allowedNetworks: readonly string[];
}

/** All IPv6 addresses that the internet routes; everything outside is reserved, local or an embedded IPv4 address. */
const globalUnicast = ipaddr.parseCIDR("2000::/3");

/**
 * Addresses from the public space that a cloud's machines reach inside the cloud: the host or the provider's own
 * services answer there, and trust the machine. The other clouds' are link-local (169.254.169.254), unique-local
 * (fd00:ec2::254), carrier-grade NAT (100.100.100.200) or reserved (192.0.0.192), which are no public addresses anyway.
 */
const cloudHosts = [
  // Azure: WireServer, DHCP and DNS of the host.
  "168.63.129.16/32",
  // IBM Cloud: DNS, time, package mirrors and service endpoints.
  "161.26.0.0/16",
  "166.8.0.0/14",
].map((network) => ipaddr.parseCIDR(network));

/** Whether a setting's entry is a CIDR. */
export function isNetwork(text: string): boolean {
  return ipaddr.isValidCIDR(text);
}

/**
 * Builds the test that every address must pass before it is dialled (docs/protocol/webhooks.md#13.2). The test judges a mapped
 * IPv4 address as the IPv4 address that it is, and refuses every other disguise inside an IPv6 address (NAT64, 6to4,
 * Teredo).
 *
 * @returns takes an address as `node:dns` or a socket gives it; false for anything that is none
 */
export function createAddressTest({ allowPrivate, allowedNetworks }: AddressRule): (address: string) => boolean {
  const networks = allowedNetworks.map((network) => ipaddr.parseCIDR(network));
  return (text) => {
    if (isIP(text) === 0) return false;
    if (allowPrivate) return true;
    const address = ipaddr.process(text);
    return isPublic(address) || networks.some((network) => contains(network, address));
  };
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== "unicast" || cloudHosts.some((network) => contains(network, address))) return false;
  return address.kind() === "ipv4" || contains(globalUnicast, address);
}

function contains(network: [ipaddr.IPv4 | ipaddr.IPv6, number], address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const [base] = network;
  return base.kind() === address.kind() && address.match(network);
}
