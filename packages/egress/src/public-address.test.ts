import { describe, expect, test } from "vitest";
import { createAddressTest, isNetwork } from "./public-address.js";

const strict = createAddressTest({ allowPrivate: false, allowedNetworks: [] });

describe("without exceptions, the address", () => {
  test.each([
    "93.184.216.34",
    "8.8.8.8",
    "172.32.0.1",
    "168.63.129.17",
    "161.27.0.1",
    "166.12.0.1",
    "2606:4700:4700::1111",
    "::ffff:8.8.8.8",
  ])("without exceptions, the address %s is public", (address) => {
    expect(strict(address)).toBe(true);
  });

  test.each([
    ["127.0.0.1", "loopback"],
    ["127.255.255.254", "loopback"],
    ["0.0.0.0", "unspecified, which dials this machine"],
    ["0.1.2.3", "this network"],
    ["10.0.0.1", "private"],
    ["172.16.0.1", "private"],
    ["192.168.1.1", "private"],
    ["100.64.0.1", "carrier-grade NAT"],
    ["169.254.169.254", "link-local: cloud metadata"],
    ["169.254.170.2", "link-local: credentials of AWS containers"],
    ["100.100.100.200", "carrier-grade NAT: Alibaba Cloud metadata"],
    ["168.63.129.16", "host of Azure"],
    ["::ffff:168.63.129.16", "host of Azure, IPv4-mapped"],
    ["161.26.0.10", "services inside IBM Cloud"],
    ["166.9.20.1", "services inside IBM Cloud"],
    ["192.0.0.1", "reserved"],
    ["192.0.0.192", "reserved: Oracle Cloud metadata"],
    ["192.88.99.1", "6to4 relay"],
    ["192.175.48.1", "AS112"],
    ["192.0.2.1", "documentation"],
    ["198.18.0.1", "benchmarks"],
    ["203.0.113.9", "documentation"],
    ["224.0.0.1", "multicast"],
    ["240.0.0.1", "reserved"],
    ["255.255.255.255", "broadcast"],
    ["::", "unspecified"],
    ["::1", "loopback"],
    ["::ffff:127.0.0.1", "IPv4-mapped loopback"],
    ["::ffff:a9fe:a9fe", "IPv4-mapped metadata address"],
    ["::127.0.0.1", "IPv4-compatible loopback"],
    ["64:ff9b::7f00:1", "NAT64 loopback"],
    ["64:ff9b:1::1", "local NAT64"],
    ["2002:7f00:1::", "6to4 loopback"],
    ["2001:0:7f00:1::", "Teredo"],
    ["2001:db8::1", "documentation"],
    ["fc00::1", "unique local"],
    ["fd00:ec2::254", "unique local: AWS metadata"],
    ["fd20:ce::254", "unique local: Google Cloud metadata"],
    ["2001:2::1", "benchmarks"],
    ["2001:20::1", "ORCHID"],
    ["3fff::1", "documentation"],
    ["5f00::1", "segment routing"],
    ["100::1", "discard"],
    ["fe80::1", "link-local"],
    ["fe80::1%eth0", "link-local with a zone"],
    ["fec0::1", "site-local"],
    ["ff02::1", "multicast"],
    ["localhost", "no address"],
    ["", "no address"],
  ])("without exceptions, the address %s is refused (%s)", (address) => {
    expect(strict(address)).toBe(false);
  });
});

test("a listed network is allowed, and nothing beside it", () => {
  const allows = createAddressTest({ allowPrivate: false, allowedNetworks: ["10.1.0.0/16", "fd12::/32"] });
  expect(["10.1.255.255", "::ffff:10.1.0.1", "fd12::5", "8.8.8.8"].map(allows)).toEqual([true, true, true, true]);
  expect(["10.2.0.1", "fd13::5", "127.0.0.1"].map(allows)).toEqual([false, false, false]);
});

test("development allows every address", () => {
  const allows = createAddressTest({ allowPrivate: true, allowedNetworks: [] });
  expect(["127.0.0.1", "::1", "10.0.0.1", "nonsense"].map(allows)).toEqual([true, true, true, false]);
});

test("a CIDR is distinguished from other texts", () => {
  expect(["10.0.0.0/8", "fd00::/8"].map(isNetwork)).toEqual([true, true]);
  expect(["10.0.0.1", "10.0.0.0/33", "x", ""].map(isNetwork)).toEqual([false, false, false, false]);
});
