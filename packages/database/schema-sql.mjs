// Prints the SQL with which Prisma would build the tables of schema.prisma, or, given an older copy of it, the SQL that
// turns that one's tables into these: the start of a migration. It does the work of `prisma migrate diff`, without an
// engine to download. node schema-sql.mjs [older-schema.prisma]
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import * as engine from "@prisma/schema-engine-wasm/schema_engine_bg";

const bindings = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg");
const { instance } = await WebAssembly.instantiate(await readFile(join(bindings, "..", "schema_engine_bg.wasm")), {
  "./schema_engine_bg.js": engine,
});
engine.__wbg_set_wasm(instance.exports);
instance.exports.__wbindgen_start();

// The engine insists on a connection even when it only compares files; behind this one there is nothing.
const ok = async (value) => ({ ok: true, value });
const nothing = {
  provider: "postgres",
  adapterName: "none",
  errorRegistry: { consumeError: () => undefined },
  queryRaw: () => ok({ columnNames: [], columnTypes: [], rows: [] }),
  executeRaw: () => ok(0),
  executeScript: () => ok(undefined),
  getConnectionInfo: () => ({ ok: true, value: { schemaName: "public", supportsRelationJoins: false } }),
  dispose: () => ok(undefined),
};
const factory = { ...nothing, connect: () => ok(nothing), connectToShadowDb: () => ok(nothing) };

const path = join(import.meta.dirname, "..", "..", "prisma", "schema.prisma");
const content = await readFile(path, "utf8");
const older = process.argv[2];
const from =
  older === undefined
    ? { tag: "empty" }
    : { tag: "schemaDatamodel", files: [{ path: older, content: await readFile(older, "utf8") }] };

const schemaEngine = await engine.SchemaEngine.new({ datamodels: [[path, content]] }, () => {}, factory);
const { stdout } = await schemaEngine.diff({
  from,
  to: { tag: "schemaDatamodel", files: [{ path, content }] },
  script: true,
  exitCode: null,
  filters: { externalTables: [], externalEnums: [] },
});
process.stdout.write(`${stdout}\n`);
