import type { Ban } from "@parley/contracts";
import type { BanRow } from "./repository.js";

/** A ban as it goes over the wire (docs/interface.md#4.22). */
export function toBan({ user_id, server_id, banned_by, reason, created_at }: BanRow): Ban {
  return { user_id, server_id, banned_by, reason, created_at: created_at.toISOString() };
}
