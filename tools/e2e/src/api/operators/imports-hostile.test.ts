import { existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SharedStack, sharedStack, type UserClient } from "@parley/testing";
import { type MadeEntry, zipOf } from "@parley/testing/zips";
import { beforeAll, expect, test } from "vitest";
import { createAdminStage, runSql } from "../stages/admin-stage.js";
import { Import, uploadArchive } from "../stages/import-stage.js";
import { madeExport, packExport } from "../stages/made-export.js";

let stack: SharedStack;
let admin: UserClient;
beforeAll(async () => {
  ({ stack, admin } = await createAdminStage(await sharedStack()));
});

const plain: MadeEntry[] = ["channels", "roles", "members"].map((name) => ({ name: `${name}.json`, bytes: "[]" }));
const server = { name: "server.json", bytes: JSON.stringify({ id: madeExport([]).server.id, name: "S" }) };
const thirdRecordIsBroken = () => {
  const made = madeExport(["one"]);
  const [channel] = made.channels;
  const whole = packExport(made);
  const entry = { name: `messages/${channel?.id}.jsonl`, bytes: "{}\n{}\n{ no JSON\n" };
  const entries = [server, { name: "channels.json", bytes: JSON.stringify(made.channels) }, ...plain.slice(1), entry];
  expect(whole.length).toBeGreaterThan(0);
  return entries;
};
const many = () => Array.from({ length: 200_001 }, (_, at) => ({ name: String(at), method: 0 }));

const cases: [string, () => MadeEntry[], RegExp][] = [
  [
    "grows to more than a hundred times its size",
    () => [{ name: "server.json", bytes: Buffer.alloc(40_000_000) }, ...plain],
    /server\.json/,
  ],
  ["leads out of its folder", () => [{ name: "../../etc/passwd", bytes: "x" }], /etc\/passwd/],
  ["has a link", () => [server, ...plain, { name: "link", kind: "symlink", bytes: "/etc/passwd" }], /link/],
  ["is encrypted", () => [{ ...server, encrypted: true }, ...plain], /server\.json/],
  ["lies about a size", () => [{ ...server, claimed: 7 }, ...plain], /server\.json/],
  ["has an entry twice", () => [server, server, ...plain], /server\.json/],
  ["is nested too deeply", () => [{ name: "server.json", bytes: '{"a":'.repeat(101) }, ...plain], /server\.json/],
  ["has a wrong syntax in its third record", thirdRecordIsBroken, /messages\/.*\.jsonl, (?:record|line) 3/],
  ["has more entries than it may", many, /200,?000/],
];

test("an archive that is an attack, or broken, is refused with a sentence, and nothing of it is left", async () => {
  for (const [what, entries, sentence] of cases) {
    const { id } = await uploadArchive(admin, zipOf(entries()), "hostile.zip");
    const ended = async () => (await admin.get(`/admin/imports/${id}`)).expect(200, Import);
    await expect.poll(async () => (await ended()).state, { message: what }).toBe("failed");
    const { error, report, server_id } = await ended();
    expect(error, what).toMatch(sentence);
    expect(error, what).toMatch(/\.$/);
    expect({ report, server_id }, what).toEqual({ report: null, server_id: null });
    for (const table of ["import_records", "import_parts"]) {
      const rows = () => runSql(stack.databaseUrl, `SELECT FROM ${table} WHERE import_id = $1`, [id]);
      await expect.poll(rows, { message: what }).toEqual([]);
    }
    await expect
      .poll(() => readdirSync(stack.uploadDir, { recursive: true }).filter((path) => String(path).includes(id)))
      .toEqual([]);
    await expect.poll(() => existsSync(join(tmpdir(), `parley-import-${id}`)), { message: what }).toBe(false);
  }
});
