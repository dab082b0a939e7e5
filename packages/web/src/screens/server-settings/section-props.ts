import type { Server } from "@parley/client";

/** What every section of a server's settings gets. */
export interface ServerSectionProps {
  server: Server;
  /** Whether the reader owns the server; owner-only sections are shown to nobody else. */
  isOwner: boolean;
}
