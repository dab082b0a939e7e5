// Runs `prisma generate`, then writes down which migration is the newest: images of services hold no migrations, but must
// not run on a database that lacks one of those that they were built with. Generating needs no schema engine, but the CLI looks for one first and would download it; naming
// any executable keeps the build offline.
import { spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const folder = dirname(fileURLToPath(import.meta.url));
const cli = createRequire(import.meta.url).resolve("prisma/build/index.js");
const { status, error } = spawnSync(process.execPath, [cli, "generate", "--no-hints"], {
  cwd: folder,
  env: {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: process.env.PRISMA_SCHEMA_ENGINE_BINARY ?? process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: "1",
    CHECKPOINT_DISABLE: "1",
  },
  stdio: "inherit",
});
if (error) throw error;
process.exitCode = status ?? 1;

const entries = readdirSync(new URL("../../prisma/migrations/", import.meta.url), { withFileTypes: true });
const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
writeFileSync(
  new URL("src/generated/newest-migration.ts", import.meta.url),
  `/** The last migration of this build. */\nexport const newestMigration = ${JSON.stringify(names.sort().at(-1))};\n`,
);
