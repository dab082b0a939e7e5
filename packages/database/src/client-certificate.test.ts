import { appendFile, chown, copyFile, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freshFolder, makeCertificates, runContext, startPostgres } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectDatabase } from "./connect.js";
import { migrate } from "./migrate.js";

const logger = { info: () => {}, warn: () => {} };
let certificates: Awaited<ReturnType<typeof makeCertificates>>;
let server: Awaited<ReturnType<typeof startPostgres>>;
beforeAll(async () => {
  certificates = await makeCertificates();
  const dataDir = freshFolder("postgres");
  server = await startPostgres({ dataDir });
  const { uid, gid } = await stat(join(dataDir, "postgresql.conf"));
  const own = async (name: string, path: string) => {
    await copyFile(path, join(dataDir, name));
    await chown(join(dataDir, name), uid, gid);
  };
  await own("server.crt", certificates.server.cert);
  await own("server.key", certificates.server.key);
  await own("root.crt", certificates.authority);
  await appendFile(join(dataDir, "postgresql.conf"), "ssl = on\nssl_ca_file = 'root.crt'\n");
  const rules = join(dataDir, "pg_hba.conf");
  const demanding = (await readFile(rules, "utf8")).replace(/^host .*$/gm, "");
  await writeFile(rules, `${demanding}\nhostssl all all all scram-sha-256 clientcert=verify-full\n`);
  await server.restart();
});
afterAll(() => server?.stop());

const connect = (parameters: string) =>
  connectDatabase({
    url: `${server.url}?sslmode=verify-full&${parameters}`,
    poolMax: 2,
    applicationName: "certificate.test",
    logger,
  });

test("a PostgreSQL that demands a certificate is reached with the one that the address names, by the migration job as well", async () => {
  const database = await connect(certificates.parameters);
  await database.close();
  // With a list, the client asks each host over TLS, too.
  const url = server.url.replace("@", "@127.0.0.1:1,");
  const list = `${url}?sslmode=verify-full&${certificates.parameters}&target_session_attrs=read-write`;
  const { applied } = await migrate({
    databaseUrl: list,
    migrationsDir: join(runContext().root, "prisma", "migrations"),
  });
  expect(applied).not.toEqual([]);
});

test("without a certificate it is not reached", async () => {
  await expect(connect(`sslrootcert=${certificates.authority}`)).rejects.toThrow("requires a valid client certificate");
});
