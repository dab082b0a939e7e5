// Runs `prisma generate`. Generating needs no schema engine, but the CLI looks for one first and would download it; naming
// any executable keeps the build offline.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const cli = createRequire(import.meta.url).resolve("prisma/build/index.js");
const { status, error } = spawnSync(process.execPath, [cli, "generate", "--no-hints"], {
  cwd: dirname(fileURLToPath(import.meta.url)),
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
