// Puts a compressed form beside each file of the build, so that no server has to compress anything: .br for servers that
// know Brotli, .gz for all others (nginx: gzip_static).
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const folder = join(import.meta.dirname, "dist");
/** Pictures, sounds and fonts are compressed already. */
const compressible = /\.(?:css|html|js|json|map|svg|txt|wasm|webmanifest)$/;
/** Compression makes a file that fits into one network packet no faster. */
const bytesMin = 1_024;

for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !compressible.test(entry.name)) continue;
  const file = join(entry.parentPath, entry.name);
  const content = readFileSync(file);
  if (content.length < bytesMin) continue;
  writeFileSync(
    `${file}.br`,
    brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
  );
  writeFileSync(`${file}.gz`, gzipSync(content, { level: constants.Z_BEST_COMPRESSION }));
}
