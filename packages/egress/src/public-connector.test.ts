import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Agent, request } from "undici";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAddressTest } from "./public-address.js";
import { createPublicConnector, type Lookup, RefusedAddressError } from "./public-connector.js";

// Stands for the public internet: allowed, while the rest of this machine is not.
const allowed = "127.0.0.2";
const allows = createAddressTest({ allowPrivate: false, allowedNetworks: [`${allowed}/32`] });

let server: Server;
let port: number;
const hosts: (string | undefined)[] = [];

beforeAll(async () => {
  server = createServer((incoming, response) => {
    hosts.push(incoming.socket.localAddress);
    response.setHeader("Connection", "close");
    response.end("reached");
  });
  server.listen(0, "0.0.0.0");
  await once(server, "listening");
  const address: AddressInfo | string | null = server.address();
  port = typeof address === "object" ? (address?.port ?? 0) : 0;
});
afterAll(() => server.close());

/** Answers each question with the next of the lists, the last one again and again. */
function lookupOf(...answers: readonly (readonly string[])[]): Lookup {
  let asked = 0;
  return (_hostname, _options, callback) => {
    const addresses = answers[Math.min(asked, answers.length - 1)] ?? [];
    asked += 1;
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
  };
}

async function get(lookup: Lookup, times: number, host = "rebinding.example") {
  const dispatcher = new Agent({ connect: createPublicConnector({ allows, timeoutMs: 5_000, lookup }) });
  hosts.length = 0;
  try {
    for (let n = 0; n < times; n += 1) {
      const { body } = await request(`http://${host}:${port}/`, { dispatcher });
      expect(await body.text()).toBe("reached");
    }
  } finally {
    await dispatcher.destroy();
  }
}

test("a name is judged by the address it resolves to each time it is dialled", async () => {
  const lookup = lookupOf([allowed], ["127.0.0.1"]);
  await expect(get(lookup, 2)).rejects.toThrow(RefusedAddressError);
  expect(hosts).toEqual([allowed]);
});

test("only those of several addresses are dialled that may be", async () => {
  await get(lookupOf(["127.0.0.1", "::1", allowed]), 1);
  expect(hosts).toEqual([allowed]);
});

test.each([
  ["a private address", ["127.0.0.1"]],
  ["a mapped private address", ["::ffff:127.0.0.1"]],
  ["private addresses of both families", ["10.0.0.1", "fd00::1"]],
])("a name with %s is refused, and nothing is dialled", async (_, addresses) => {
  await expect(get(lookupOf(addresses), 1)).rejects.toThrow(RefusedAddressError);
  expect(hosts).toEqual([]);
});

test.each(["127.0.0.1", "[::ffff:127.0.0.1]", "[::1]", "2130706433"])("the address %s is refused", async (host) => {
  await expect(get(lookupOf([allowed]), 1, host)).rejects.toThrow(RefusedAddressError);
  expect(hosts).toEqual([]);
});

test("a name without an address fails with the error of the resolver", async () => {
  const lookup: Lookup = (_hostname, _options, callback) =>
    callback(Object.assign(new Error("not found"), { code: "ENOTFOUND" }), []);
  await expect(get(lookup, 1)).rejects.toMatchObject({ code: "ENOTFOUND" });
});
