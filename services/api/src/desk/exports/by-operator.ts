import type { Writable } from "node:stream";
import { isUuid, ServiceError } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { wholeExportTimeoutMs } from "./limits.js";
import { findServersNamed } from "./repository.js";
import type { ExportService } from "./service.js";
import { writeZip } from "./write-zip.js";

/**
 * Lets an operator export a server with its files (docs/protocol/communities.md#18.3).
 *
 * @param server id, or the whole name
 * @param output gets the archive
 * @param write is called with a sentence where there is none
 * @returns the exit code: 2 without a server, 1 for an unknown one, and for a name of several
 */
export async function exportCommand(
  { database, exports }: { database: Database; exports: ExportService },
  [server, ...more]: readonly string[],
  { output, write }: { output: Writable; write: (line: string) => void },
): Promise<0 | 1 | 2> {
  if (server === undefined || more.length > 0) {
    write("usage: <id or name of a server>");
    return 2;
  }
  const ids = isUuid(server) ? [server] : await findServersNamed(database, server);
  const [serverId, another] = ids;
  if (another !== undefined) {
    write(`Several servers are named ${server}; say which by its id: ${ids.join(", ")}`);
    return 1;
  }
  try {
    if (serverId === undefined) throw new ServiceError("not_found", server);
    await exports.run({ ownerId: null, serverId, files: true }, (_, parts) =>
      writeZip(output, parts, AbortSignal.timeout(wholeExportTimeoutMs)),
    );
    return 0;
  } catch (error) {
    if (!(error instanceof ServiceError && error.kind === "not_found")) throw error;
    write(`There is no server ${server}.`);
    return 1;
  }
}
