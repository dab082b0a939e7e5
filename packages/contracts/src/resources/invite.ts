import { z } from "zod";
import { timestamp, uuid, uuidExample } from "./identifiers.js";

const inviteCode = z.string().meta({ pattern: "^[A-Za-z0-9]{8}$", example: "aB3dE6gH" });

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
