import { errorTexts, timestamp, uuid } from "@parley/contracts";
import { z } from "zod";
import { nonNull } from "../../../platform/http/input.js";
import { quotaInput } from "../../instance-settings/schema.js";

export const updateAdminServerBody = z.object({
  listed: nonNull(z.boolean(errorTexts.listed_not_boolean)),
  featured: nonNull(z.boolean(errorTexts.featured_not_boolean)),
  quota: quotaInput,
});
export type UpdateAdminServer = z.infer<typeof updateAdminServerBody>;

/** A server as administrators see it (docs/protocol/operators.md#18.1). */
export const AdminServer = z
  .object({
    id: uuid,
    name: z.string(),
    owner_id: uuid,
    owner_username: z.string(),
    icon_url: z.string().nullable(),
    is_public: z.boolean(),
    member_count: z.int(),
    channel_count: z.int(),
    message_count: z.int(),
    created_at: timestamp,
    listed: z.literal(false).optional().meta({ description: "It stands not among public servers" }),
    featured: z.literal(true).optional().meta({ description: "It stands before other public servers" }),
    quota: z.int().optional().meta({ description: "Where it differs from the installation's" }),
    storage_bytes: z.int().optional().meta({ description: "Only with `sort_by=storage_bytes`" }),
  })
  .meta({ id: "AdminServer" });
export type AdminServer = z.infer<typeof AdminServer>;

export const AdminServerPage = z.object({
  servers: z.array(AdminServer),
  total: z.int(),
  page: z.int(),
  per_page: z.int(),
});
export type AdminServerPage = z.infer<typeof AdminServerPage>;
