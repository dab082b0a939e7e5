// Bundles the client for pages without a build step, and prints its sizes; over the limit the build fails.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "rolldown";

const gzippedBytesMax = 30 * 1024;
const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const file = path("dist/parley-client.min.js");

await build({
  input: path("dist/index.js"),
  platform: "browser",
  output: { file, format: "esm", minify: true, codeSplitting: false },
  logLevel: "warn",
});
const bytes = readFileSync(file);
const gzipped = gzipSync(bytes, { level: 9 }).length;
process.stdout.write(`parley-client.min.js: ${bytes.length} bytes, ${gzipped} gzipped (limit ${gzippedBytesMax})\n`);
if (gzipped > gzippedBytesMax) process.exitCode = 1;
