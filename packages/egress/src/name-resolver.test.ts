import { startNameServer, waitUntil } from "@parley/testing";
import { expect, onTestFinished, test } from "vitest";
import {
  createNameResolver,
  failedMaxMs,
  failedMinMs,
  type LookupOutcome,
  lookupsPerOwnerMax,
} from "./name-resolver.js";

/** A resolver that asks a name server of this machine, at a time that the test chooses. */
async function stage(
  serverOptions: Parameters<typeof startNameServer>[0] = {},
  resolverOptions: Partial<Parameters<typeof createNameResolver>[0]> = {},
) {
  const server = await startNameServer(serverOptions);
  onTestFinished(server.close);
  const clock = { now: 0 };
  const ends: LookupOutcome[] = [];
  const names = createNameResolver({
    knowsLocalNames: false,
    servers: [server.address],
    onEnd: (outcome) => ends.push(outcome),
    now: () => clock.now,
    ...resolverOptions,
  });
  const find = (name: string) =>
    new Promise<string[]>((resolve, reject) => {
      names.lookup(name, { all: true }, (error, addresses) => {
        if (error === null) resolve(addresses.map(({ address }) => address));
        else reject(error);
      });
    });
  return { names, find, asked: server.asked, ends, clock };
}

test("while the names of one owner hang, a few are under way and all names of others are found", async () => {
  const { names, find, asked, ends } = await stage();
  for (let n = 0; n < 500; n += 1) names.begin(`${n}.hang.test`, "hanging");
  await waitUntil(() => new Set(asked).size === lookupsPerOwnerMax);
  const others = Array.from({ length: 100 }, (_, n) => `${n}.others.test`);
  for (const [n, name] of others.entries()) names.begin(name, `other ${n}`);
  const found = await Promise.all(others.map(find));
  expect(found).toEqual(others.map(() => ["127.0.0.1"]));
  expect(ends.filter((outcome) => outcome === "found")).toHaveLength(others.length);
  await expect(find("0.hang.test")).rejects.toThrow("The name servers of 0.hang.test do not answer");
});

test("a name is looked up once for all who ask at the same time, and once while its addresses are valid", async () => {
  const { find, asked, clock } = await stage({ ttlSeconds: 10 });
  await Promise.all(Array.from({ length: 50 }, () => find("shared.test")));
  clock.now += 9_999;
  await find("SHARED.test.");
  expect(asked).toEqual(["shared.test", "shared.test"]);
  clock.now += 1;
  await find("shared.test");
  expect(asked).toHaveLength(4);
});

test("a failed look-up is remembered, for twice as long each time, until one succeeds", async () => {
  let exists = false;
  const { find, asked, clock, ends } = await stage({ isMissing: () => !exists });
  const failed = { outcome: "missing", message: "away.test has no address" };
  const fail = async (rememberedForMs: number) => {
    const before = asked.length;
    await expect(find("away.test")).rejects.toMatchObject(failed);
    expect(asked.length).toBeGreaterThan(before);
    const after = asked.length;
    clock.now += rememberedForMs - 1;
    await expect(find("away.test")).rejects.toMatchObject(failed);
    expect(asked).toHaveLength(after);
    clock.now += 1;
  };
  for (const rememberedForMs of [failedMinMs, 2 * failedMinMs, 4 * failedMinMs, failedMaxMs])
    await fail(rememberedForMs);
  exists = true;
  expect(await find("away.test")).toEqual(["127.0.0.1"]);
  exists = false;
  clock.now += 60_000;
  await fail(failedMinMs);
  expect(ends.filter((outcome) => outcome !== "missing")).toEqual(["found"]);
});

test("a name server that hangs for one family does not withhold the addresses of the other one", async () => {
  const { find, ends } = await stage({ hangs: (_, type) => type === "AAAA" });
  expect(await find("half.test")).toEqual(["127.0.0.1"]);
  expect(ends).toEqual(["found"]);
});

test("localhost is this machine, and no name server is asked about it", async () => {
  const { find, asked } = await stage();
  for (const name of ["localhost", "app.localhost."]) expect(await find(name)).toEqual(["127.0.0.1", "::1"]);
  expect(asked).toEqual([]);
});

const files = { hostsFile: "10.0.0.5 hooks", resolvConf: "search missing.test svc.local" };

test("names of the hosts file and of search domains are found where they count", async () => {
  const address = (name: string) => (name === "jobs.svc.local" ? "10.0.0.6" : "127.0.0.1");
  const { find, asked } = await stage(
    { address, isMissing: (name) => name === "jobs" },
    {
      knowsLocalNames: true,
      readFiles: async () => files,
    },
  );
  expect(await find("hooks")).toEqual(["10.0.0.5"]);
  expect(asked).toEqual([]);
  expect(await find("jobs")).toEqual(["10.0.0.6"]);
  expect(new Set(asked)).toEqual(new Set(["jobs", "jobs.missing.test", "jobs.svc.local"]));
});

test("names of the hosts file are looked up like all others where they do not count", async () => {
  const { find } = await stage({}, { readFiles: async () => files });
  expect(await find("hooks")).toEqual(["127.0.0.1"]);
});
