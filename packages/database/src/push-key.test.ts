import { createECDH } from "node:crypto";
import { createTestDatabase, type TestDatabase } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectDatabase, type Database } from "./connect.js";
import { readPushKey } from "./push-key.js";

let testDatabase: TestDatabase;
let processes: Database[];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const logger = { info: () => {}, warn: () => {} };
  const connect = () => connectDatabase({ url: testDatabase.url, poolMax: 5, applicationName: "test", logger });
  processes = await Promise.all([connect(), connect()]);
});
afterAll(async () => {
  for (const database of processes ?? []) await database.close();
  await testDatabase?.drop();
});

test("several processes that ask first get one key pair, whose halves belong together", async () => {
  const asked = Array.from({ length: 5 }, () => processes.map((database) => readPushKey(database)));
  const pairs = await Promise.all(asked.flat());
  const [pair] = pairs;
  if (pair === undefined) throw new Error("no key");
  expect(pairs).toEqual(Array(10).fill(pair));
  expect(Buffer.from(pair.publicKey, "base64url")).toHaveLength(65);
  expect(Buffer.from(pair.privateKey, "base64url")).toHaveLength(32);
  const curve = createECDH("prime256v1");
  curve.setPrivateKey(pair.privateKey, "base64url");
  expect(curve.getPublicKey("base64url", "uncompressed")).toBe(pair.publicKey);
});
