import { findFreePort } from "@parley/local-stack";
import { makeCertificates, startRedis } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectRedis } from "./connection.js";

const logger = { info: () => {}, warn: () => {} };
let certificates: Awaited<ReturnType<typeof makeCertificates>>;
let server: Awaited<ReturnType<typeof startRedis>>;
let tlsPort: number;
beforeAll(async () => {
  certificates = await makeCertificates();
  tlsPort = await findFreePort();
  server = await startRedis(
    `tls-port ${tlsPort}`,
    `tls-cert-file ${certificates.server.cert}`,
    `tls-key-file ${certificates.server.key}`,
    `tls-ca-cert-file ${certificates.authority}`,
    "tls-auth-clients yes",
  );
});
afterAll(() => server?.stop());

const connect = (parameters: string) =>
  connectRedis({ url: `rediss://localhost:${tlsPort}/0?${parameters}`, name: "test", logger });

test("a Redis that demands a certificate is reached with the one that the address names", async () => {
  const redis = await connect(certificates.parameters);
  await redis.ping(1_000);
  await redis.close();
});

test("without a certificate it is not reached, and one that cannot be read is reported at once", async () => {
  const redis = await connect(`sslrootcert=${certificates.authority}`);
  await expect(redis.ping(1_000)).rejects.toThrow();
  await redis.close();
  await expect(connect("sslcert=/nowhere")).rejects.toThrow("The file /nowhere for TLS cannot be read (ENOENT)");
});
