import { expect, test } from "vitest";
import { hostsAddresses, localhostAddresses, searchDomains } from "./local-names.js";

const hostsFile = `
127.0.0.1 localhost
10.0.0.5\thooks.corp Hooks # 10.0.0.6 commented
fd00::5   hooks.corp
not-an-address hooks.corp`;

test.each([
  ["hooks.corp", ["10.0.0.5", "fd00::5"]],
  ["hooks", ["10.0.0.5"]],
  ["commented", []],
  ["corp", []],
])("the hosts file gives %s the addresses %j", (name, addresses) => {
  expect(hostsAddresses(hostsFile, name).map(({ address }) => address)).toEqual(addresses);
});

test("the search domains are those of the last line that names some", () => {
  expect(searchDomains("search old.example\nnameserver 10.0.0.1\nsearch a.svc.local  svc.local .\n")).toEqual([
    "a.svc.local",
    "svc.local",
  ]);
  expect(searchDomains("nameserver 10.0.0.1\n# search none\n")).toEqual([]);
});

test.each([
  ["localhost", true],
  ["app.localhost", true],
  ["localhost.example", false],
  ["mylocalhost", false],
])("%s is this machine: %s", (name, isThis) => {
  expect(localhostAddresses(name) !== null).toBe(isThis);
});
