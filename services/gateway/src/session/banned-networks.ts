import type { NetworkBans } from "@parley/auth";
import { closeCodes } from "@parley/contracts";
import type { Connection } from "../connection/connection.js";

/** Closes the connections from networks that are banned while they are open (docs/protocol/registration.md#bans). */
export function closeBanned({
  connections,
  networkBans,
}: {
  connections: () => Iterable<Pick<Connection, "address" | "close">>;
  networkBans: Pick<NetworkBans, "isBanned" | "onChange">;
}): void {
  networkBans.onChange(() => {
    for (const connection of [...connections()]) {
      if (networkBans.isBanned(connection.address)) connection.close(closeCodes.policyViolation, "session ended");
    }
  });
}
