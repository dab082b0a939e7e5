import { expect, test } from "vitest";
import { createNetworkTest, parseNetwork } from "./addresses.js";
import { createClientAddress } from "./client-address.js";

test.each([
  ["203.0.113.7/24", "203.0.113.0/24"],
  ["0.0.0.0/0", "0.0.0.0/0"],
  ["255.255.255.255/32", "255.255.255.255/32"],
  ["2001:DB8:1:2::7/32", "2001:db8::/32"],
  ["::/16", "::/16"],
  ["::1/128", "::1/128"],
  ["::ffff:203.0.113.7/120", "203.0.113.0/24"],
])("%j is the network %j", (cidr, text) => {
  expect(parseNetwork(cidr)?.text).toBe(text);
});

test.each([
  "",
  "203.0.113.7",
  "203.0.113.7/33",
  "203.0.113/24",
  "2001:db8::/129",
  "::ffff:1.2.3.4/95",
  "x/8",
  "1.2.3.4/8/8",
])("%j is no network", (cidr) => {
  expect(parseNetwork(cidr)).toBeNull();
});

test("an address is found in networks that overlap, touch or stand alone, and beside them it is not", () => {
  const cidrs = ["10.0.0.0/8", "10.1.0.0/16", "11.0.0.0/32", "203.0.113.64/26", "2001:db8:1::/48", "2001:db8:2::7/128"];
  const isIn = createNetworkTest(cidrs.flatMap((cidr) => parseNetwork(cidr) ?? []));
  const inside = [
    ...["10.0.0.0", "10.1.2.3", "10.255.255.255", "11.0.0.0", "203.0.113.64", "203.0.113.127", "::ffff:10.0.0.1"],
    ...["2001:db8:1::", "2001:db8:1:ffff:ffff:ffff:ffff:ffff", "2001:DB8:2:0::7", "2001:db8:2::7%eth0"],
  ];
  const outside = [
    ...["9.255.255.255", "11.0.0.1", "203.0.113.63", "203.0.113.128", "255.255.255.255", "0.0.0.0", "unknown", ""],
    ...["2001:db8:0:ffff::", "2001:db8:2::", "2001:db8:2::8", "::", "::a00:1"],
  ];
  expect(inside.filter((address) => !isIn(address))).toEqual([]);
  expect(outside.filter(isIn)).toEqual([]);
  expect(createNetworkTest([])("10.0.0.1")).toBe(false);
});

test.each([
  ["203.0.113.9", "198.51.100.1", "203.0.113.9"],
  ["10.0.0.1", "198.51.100.1", "198.51.100.1"],
  ["10.0.0.1", "6.6.6.6, 198.51.100.1, 10.0.0.2", "198.51.100.1"],
  ["10.0.0.1", "198.51.100.1, unknown, 10.0.0.2", "10.0.0.2"],
  ["::ffff:127.0.0.1", "[2001:db8::1]:80", "2001:db8::1"],
  ["10.0.0.1", "", "10.0.0.1"],
])("the client of the peer %s with X-Forwarded-For %j is %s", (remoteAddress, forwarded, client) => {
  const clientOf = createClientAddress(["10.0.0.0/8", "loopback"]);
  const request = {
    headers: { "x-forwarded-for": forwarded },
    socket: Object.assign(Object.create(null), { remoteAddress }),
  };
  expect(clientOf(request)).toBe(client);
});
