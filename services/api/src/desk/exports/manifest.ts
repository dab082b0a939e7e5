import { createHash } from "node:crypto";
import { jsonPart, type ZipPart } from "./zip-part.js";

/** Version of the format that a manifest names (docs/protocol/communities.md#18.3). */
const formatVersion = 1;

/**
 * The same parts, and behind them `manifest.json` with the SHA-256 of each.
 *
 * @param counts what the parts contain, when they have been read
 */
export async function* withManifest(
  parts: AsyncIterable<ZipPart>,
  { exportedAt, counts }: { exportedAt: Date; counts: Readonly<Record<string, number>> },
): AsyncGenerator<ZipPart> {
  const sums: { name: string; bytes: number; sha256: string }[] = [];
  for await (const { name, content } of parts) {
    yield {
      name,
      content: async function* () {
        const hash = createHash("sha256");
        let bytes = 0;
        for await (const piece of typeof content === "string" ? [content] : content()) {
          const chunk = typeof piece === "string" ? Buffer.from(piece) : piece;
          hash.update(chunk);
          bytes += chunk.length;
          yield chunk;
        }
        sums.push({ name, bytes, sha256: hash.digest("hex") });
      },
    };
  }
  yield jsonPart("manifest.json", {
    format: "parley",
    version: formatVersion,
    exported_at: exportedAt.toISOString(),
    counts,
    parts: sums,
  });
}
