import { z } from "zod";
import { timestamp, uuid, uuidExample } from "./identifiers.js";

/** The form of a code: a random one, or the address that an owner chose. */
export const inviteCodePattern = /^(?:[A-Za-z0-9]{8}|[a-z0-9-]{3,32})$/;
/** The form of such an address. */
export const vanityCodePattern = /^[a-z0-9-]{3,32}$/;
/** Most roles that an invite gives. */
export const inviteRolesMax = 5;
const inviteCode = z.string().meta({ pattern: inviteCodePattern.source, maxLength: 32, example: "aB3dE6gH" });

/** An invite to a server (docs/protocol/objects.md#4.16). */
export const Invite = z
  .object({
    id: uuid,
    server_id: uuid,
    code: inviteCode,
    created_by: uuid.nullable().meta({ example: uuidExample }),
    max_uses: z.int().nullable().meta({ minimum: 1, description: "Null for any number", example: 10 }),
    uses: z.int().meta({ minimum: 0, example: 3 }),
    expires_at: timestamp.nullable(),
    created_at: timestamp,
    role_ids: z.array(uuid).optional().meta({
      maxItems: inviteRolesMax,
      description: "Roles of whoever joins by it; no key where it gives none. With `v=2` only in events",
    }),
    vanity: z
      .literal(true)
      .optional()
      .meta({ description: "The address that the owner chose. With `v=2` only in events" }),
  })
  .meta({ id: "Invite" });
export type Invite = z.infer<typeof Invite>;

/** An invite as the holder of its code sees it before accepting (docs/protocol/objects.md#4.16). */
export const InvitePreview = z
  .object({
    code: inviteCode,
    server_name: z.string().meta({ example: "Chess club" }),
    server_icon_url: z.string().nullable(),
    member_count: z.int().meta({ minimum: 0, example: 12 }),
    expires_at: timestamp.nullable(),
  })
  .meta({ id: "InvitePreview" });
export type InvitePreview = z.infer<typeof InvitePreview>;

/** The preview before the login: with the members who are not offline (docs/protocol/objects.md#4.16). */
export const PublicInvitePreview = InvitePreview.extend({
  online_count: z.int().meta({ minimum: 0, description: "At most 5 s old", example: 3 }),
}).meta({ id: "PublicInvitePreview" });
export type PublicInvitePreview = z.infer<typeof PublicInvitePreview>;
