import { expect, test } from "vitest";
import { addressOf, pathPart, readBaseUrl } from "./address.js";

test.each([
  ["https://chat.example", "https://chat.example"],
  [" https://chat.example/ ", "https://chat.example"],
  ["https://chat.example/api/", "https://chat.example"],
  ["HTTP://Chat.Example:8080", "http://chat.example:8080"],
  ["https://example/parley/api", "https://example/parley"],
])("reads the address of a server from %j", (written, address) => {
  expect(readBaseUrl(written)).toBe(address);
});

test.each(["", "chat.example", "ws://chat.example", "https://", "https://chat.example?a=1", "https://chat.example#a"])(
  "%j is no address of a server",
  (written) => {
    expect(() => readBaseUrl(written)).toThrow(JSON.stringify(written));
  },
);

test("an address has the prefix of the API once, and of a query what is set", () => {
  const query = { limit: 5, q: "a b&c", before: undefined, after: null };
  expect(addressOf("https://chat.example", "/users", query)).toBe("https://chat.example/api/users?limit=5&q=a+b%26c");
  expect(addressOf("https://chat.example", "/api/users?x=1")).toBe("https://chat.example/api/users?x=1");
});

test("a part of a path stays one part, and is never one that addresses leave out", () => {
  expect(pathPart("a/b?c")).toBe("a%2Fb%3Fc");
  for (const part of ["", ".", ".."]) expect(() => pathPart(part)).toThrow(TypeError);
});
