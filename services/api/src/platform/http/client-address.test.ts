import { parseAddress } from "@parley/auth";
import express from "express";
import { expect, test } from "vitest";
import { clientAddressOf, plainForwardedAddresses } from "./client-address.js";

test.each([
  ["203.0.113.8", "203.0.113.8"],
  [" 203.0.113.8\t", "203.0.113.8"],
  ["203.0.113.8:40001", "203.0.113.8"],
  ['"203.0.113.8:40001"', "203.0.113.8"],
  ["::ffff:203.0.113.8", "203.0.113.8"],
  ["::FFFF:cb00:7108", "203.0.113.8"],
  ["[::ffff:203.0.113.8]:40001", "203.0.113.8"],
  ["2001:db8::1", "2001:db8::1"],
  ["2001:0DB8:0:0::0001", "2001:db8::1"],
  ["[2001:db8::1]", "2001:db8::1"],
  ["[2001:db8::1]:40001", "2001:db8::1"],
  ['"[2001:db8::1]:40001"', "2001:db8::1"],
  ["fe80::1%eth0", "fe80::1"],
  ["[fe80::1%25eth0]:80", "fe80::1"],
])("%j is the address %j", (entry, address) => {
  expect(parseAddress(entry)).toBe(address);
});

test.each([
  "",
  "unknown",
  "_hidden",
  "-",
  "localhost",
  "example.org:80",
  "203.0.113",
  "203.0.113.256",
  "0313.0.0.1",
  "3405803784",
  "203.0.113.8:",
  "203.0.113.8:x",
  "203.0.113.8:123456",
  "203.0.113.8/24",
  "203.0.113.8 203.0.113.9",
  "2001:db8::1]:80",
  "[203.0.113.8]x",
  "[2001:db8::1",
  "2001:db8::1::2",
  "for=203.0.113.8",
])("%j is no address", (entry) => {
  expect(parseAddress(entry)).toBeNull();
});

/** The client of a request from a socket, by an app that trusts 10.0.0.0/8 and 2001:db8:ffff::/48. */
function clientOf(peer: string, forwarded: string): string {
  const app = express();
  app.set("trust proxy", ["10.0.0.0/8", "2001:db8:ffff::/48"]);
  const request: express.Request = Object.create(app.request, {
    app: { value: app },
    headers: { value: { "x-forwarded-for": forwarded } },
    socket: { value: { remoteAddress: peer } },
  });
  plainForwardedAddresses()(request, Object.create(app.response), () => undefined);
  return clientAddressOf(request);
}

test.each([
  ["10.0.0.1", "203.0.113.8:40001", "203.0.113.8"],
  ["::ffff:10.0.0.1", "203.0.113.8:40002", "203.0.113.8"],
  ["10.0.0.1", "[2001:db8::1]:40001", "2001:db8::1"],
  ["10.0.0.1", "203.0.113.8:1, 10.0.0.2:2", "203.0.113.8"],
  ["10.0.0.1", "203.0.113.8, ::ffff:10.0.0.2", "203.0.113.8"],
  ["10.0.0.1", "203.0.113.8:1, [2001:db8:ffff::9]:443, 10.0.0.2:80", "203.0.113.8"],
  ["10.0.0.1", "203.0.113.7:1, 203.0.113.8:1, 10.0.0.2:2", "203.0.113.8"],
  ["10.0.0.1", "203.0.113.8,, 10.0.0.2 ,", "203.0.113.8"],
  ["10.0.0.1", "203.0.113.8, unknown", "10.0.0.1"],
  ["10.0.0.1", "203.0.113.8, unknown, 10.0.0.2:99", "10.0.0.2"],
  ["10.0.0.1", "anything", "10.0.0.1"],
  ["::ffff:10.0.0.1", "", "10.0.0.1"],
  ["::ffff:203.0.113.9", "203.0.113.8", "203.0.113.9"],
  ["203.0.113.9", "10.0.0.1:80", "203.0.113.9"],
])("the client of the peer %s with X-Forwarded-For %j is %s", (peer, forwarded, client) => {
  expect(clientOf(peer, forwarded)).toBe(client);
});
