import { expect, test } from "vitest";
import { loadStackConfig } from "./config.js";

const load = (env: NodeJS.ProcessEnv = {}, args: string[] = []) => loadStackConfig({ env, args, root: "/checkout" });

test("the local stack starts one api and two gateways on the documented ports by default", () => {
  const config = load();
  expect(config).toMatchObject({
    settings: { HOST: "127.0.0.1", EDGE_PORT: 8080 },
    dataDir: "/checkout/.data",
    services: [
      { name: "api", count: 1, firstPort: 8201 },
      { name: "gateway", count: 2, firstPort: 8101 },
      { name: "automod", count: 1, firstPort: 8301 },
      { name: "webhook-dispatcher", count: 1, firstPort: 8401 },
      { name: "discord", count: 1, firstPort: 8601 },
    ],
  });
  const { DATABASE_URL, REDIS_URL, NATS_URL } = config.settings;
  expect([DATABASE_URL, REDIS_URL, NATS_URL]).toEqual([undefined, undefined, undefined]);
});

test("the local stack takes numbers of services from the command line", () => {
  const { services } = load({}, ["--gateways", "3", "--apis=2", "--automods", "0", "--webhook-dispatchers", "4"]);
  expect(services.map(({ count }) => count)).toEqual([2, 3, 0, 4, 1]);
});

test("the local stack fills an installation with a demo only when it is asked to", () => {
  expect([load().demo, load({}, ["--demo"]).demo]).toEqual([false, true]);
});

test("the local stack takes addresses and foreign servers from the environment", () => {
  const config = load({ EDGE_PORT: "9000", PARLEY_DATA_DIR: "/srv/data", DATABASE_URL: "postgres://db/x" });
  expect(config).toMatchObject({
    dataDir: "/srv/data",
    settings: { EDGE_PORT: 9000, DATABASE_URL: "postgres://db/x" },
  });
});

test("the local stack counts connections per address where other machines connect to its edge themselves", () => {
  const max = (env: NodeJS.ProcessEnv) => load(env).connectionsPerAddressMax;
  expect([max({}), max({ HOST: "0.0.0.0" }), max({ HOST: "0.0.0.0", EDGE_CONNECTIONS_PER_ADDRESS: "7" })]).toEqual([
    null,
    1_000,
    7,
  ]);
  expect(max({ HOST: "0.0.0.0", EDGE_TRUST_FORWARDED: "true" })).toBeNull();
});

test("the local stack says where it is where only its own machine reaches it, so that passkeys are on there", () => {
  const publicUrl = (env: NodeJS.ProcessEnv) => load(env).env.PUBLIC_URL;
  expect([publicUrl({}), publicUrl({ EDGE_PORT: "9000" })]).toEqual(["http://localhost:8080", "http://localhost:9000"]);
  expect(publicUrl({ PUBLIC_URL: "https://chat.example.com" })).toBe("https://chat.example.com");
  expect([publicUrl({ PUBLIC_URL: "" }), publicUrl({ HOST: "0.0.0.0" })]).toEqual(["", undefined]);
  expect(publicUrl({ EDGE_TRUST_FORWARDED: "true" })).toBeUndefined();
});

test.each([
  [["--gateways", "0"], '--gateways wants a whole number from 1 to 99, not "0".'],
  [["--apis", "many"], '--apis wants a whole number from 1 to 99, not "many".'],
  [["--automods", "100"], '--automods wants a whole number from 0 to 99, not "100".'],
  [["--gateway", "3"], "known options: --gateways <number>"],
  [["--demo=yes"], "--discords <number>, --demo."],
  [["3"], "known options: --gateways <number>"],
])("the local stack refuses the options %j in one sentence", (args, sentence) => {
  expect(() => load({}, args)).toThrow(sentence);
});

test.each([
  [{ EDGE_PORT: "0" }, "EDGE_PORT must be a whole number from 1 to 65535."],
  [{ NATS_PORT: "http" }, "NATS_PORT must be a whole number from 1 to 65535."],
  [{ HOST: "http://0.0.0.0" }, "HOST must be an IP address or a host name."],
  [{ DATABASE_URL: "hunter2" }, "DATABASE_URL must be a URL that starts with postgresql:// or postgres://."],
  [{ NATS_URL: "nats://a,b" }, "NATS_URL must be a URL that starts with nats:// or tls://."],
  [{ EDGE_TRUST_FORWARDED: "proxy" }, "EDGE_TRUST_FORWARDED must be true or false."],
])("the local stack refuses %j by name, and says what is expected", (env, sentence) => {
  expect(() => load(env)).toThrow(`Invalid settings: ${sentence}`);
});

test("the local stack takes an empty variable for an unset one, as the services do", () => {
  expect(load({ EDGE_PORT: "", DATABASE_URL: "", PARLEY_DATA_DIR: "" })).toEqual({ ...load(), env: expect.anything() });
});
