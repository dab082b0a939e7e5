import type { Invite } from "@parley/contracts";
import { z } from "zod";

/** A row of the table `invites`. */
export const inviteRow = z.object({
  id: z.string(),
  server_id: z.string(),
  code: z.string(),
  created_by: z.string().nullable(),
  max_uses: z.int().nullable(),
  uses: z.int(),
  expires_at: z.date().nullable(),
  created_at: z.date(),
  role_ids: z.array(z.string()),
  vanity: z.boolean(),
});
export type InviteRow = z.infer<typeof inviteRow>;

/** An invite as it goes over the wire (docs/protocol/objects.md#4.16). */
export function toInvite(row: InviteRow): Invite {
  return {
    id: row.id,
    server_id: row.server_id,
    code: row.code,
    created_by: row.created_by,
    max_uses: row.max_uses,
    uses: row.uses,
    expires_at: row.expires_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    ...(row.role_ids.length === 0 ? {} : { role_ids: row.role_ids }),
    ...(row.vanity ? { vanity: true } : {}),
  };
}
