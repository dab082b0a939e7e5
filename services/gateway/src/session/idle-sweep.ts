import { closeCodes } from "@parley/contracts";
import type { Connection } from "../connection/connection.js";
import { idleSweepMs, idleTimeoutMs, readyReadWithinMs } from "../limits.js";

/**
 * Closes connections whose clients sent no frame of any kind for the idle timeout (docs/protocol/connecting.md#14.1), or did not
 * read their READY in time. One timer serves all connections: it compares the number of bytes that each socket has
 * received.
 *
 * @returns stops the sweep
 */
export function startIdleSweep(options: {
  connections: () => Iterable<Connection>;
  timeoutMs?: number | undefined;
  sweepMs?: number | undefined;
}): () => void {
  const { connections, timeoutMs = idleTimeoutMs, sweepMs = idleSweepMs } = options;
  const sweep = () => {
    const now = performance.now();
    for (const connection of [...connections()]) {
      const { bytesRead } = connection;
      if (connection.isReadyUnsent && now - connection.startedAt >= readyReadWithinMs) connection.closeAsSlow();
      if (bytesRead !== connection.bytesReadBefore) {
        connection.bytesReadBefore = bytesRead;
        connection.activeAt = now;
      } else if (now - connection.activeAt >= timeoutMs) {
        connection.close(closeCodes.normal);
      }
    }
  };
  const timer = setInterval(sweep, sweepMs);
  timer.unref();
  return () => clearInterval(timer);
}
