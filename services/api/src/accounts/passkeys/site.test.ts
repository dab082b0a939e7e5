import { expect, test } from "vitest";
import { passkeySite } from "./site.js";

test.each([
  ["https://chat.example.com", { id: "chat.example.com", origin: "https://chat.example.com" }],
  ["https://chat.example.com:8443/", { id: "chat.example.com", origin: "https://chat.example.com:8443" }],
  ["http://localhost:8080", { id: "localhost", origin: "http://localhost:8080" }],
  ["http://chat.example.com", null],
  ["http://localhost.example.com", null],
  ["https://192.0.2.1", null],
  ["https://[2001:db8::1]:8443", null],
  [undefined, null],
])("the site of %s is where browsers have passkeys", (url, site) => {
  expect(passkeySite(url)).toEqual(site);
});
