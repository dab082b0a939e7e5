import type { Server } from "@parley/client";
import type { PermissionName } from "@parley/contracts";

/** What every section of a server's settings gets. */
export interface ServerSectionProps {
  server: Server;
  /** Whether the reader owns the server; owner-only sections are shown to nobody else. */
  isOwner: boolean;
  /** Whether the reader has a permission in the server; what nobody may do who reads it is not offered. */
  may: (permission: PermissionName) => boolean;
}
