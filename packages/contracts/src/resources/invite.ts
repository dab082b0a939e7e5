import { z } from "zod";
import { timestamp, uuid } from "./identifiers.js";

/** An invite to a server (4.16). */
export const Invite = z
  .object({
    id: uuid,
    server_id: uuid,
    code: z.string(),
    created_by: uuid.nullable(),
    max_uses: z.int().nullable(),
    uses: z.int(),
    expires_at: timestamp.nullable(),
    created_at: timestamp,
  })
  .meta({ id: "Invite" });
export type Invite = z.infer<typeof Invite>;

/** What the holder of a code sees before accepting (4.16). */
export const InvitePreview = z
  .object({
    code: z.string(),
    server_name: z.string(),
    server_icon_url: z.string().nullable(),
    member_count: z.int(),
    expires_at: timestamp.nullable(),
  })
  .meta({ id: "InvitePreview" });
export type InvitePreview = z.infer<typeof InvitePreview>;
