import type { RawServer } from "@parley/client";
import type { PermissionName } from "@parley/contracts";

/** Properties of every section of a server's settings. */
export interface ServerSectionProps {
  server: RawServer;
  /** Whether the user owns the server; owner-only sections are not shown to others. */
  isOwner: boolean;
  /** Whether the user has a permission in the server; actions without it are not shown. */
  may: (permission: PermissionName) => boolean;
}
