import { errorTexts, PresenceStatus, timestamp, uuid } from "@parley/contracts";
import { z } from "zod";
import { nonNull } from "../../../platform/http/input.js";
import { quotaInput } from "../../instance-settings/schema.js";

/** An account as administrators see it (docs/protocol/operators.md#18.1). */
export const AdminUser = z
  .object({
    id: uuid,
    username: z.string(),
    email: z.string().nullable(),
    avatar_url: z.string().nullable(),
    status: PresenceStatus,
    is_admin: z.boolean(),
    disabled: z.boolean(),
    disabled_at: timestamp.nullable(),
    created_at: timestamp,
    server_count: z.int(),
    message_count: z.int(),
    quota: z.int().optional().meta({ description: "Where it differs from the installation's" }),
    storage_bytes: z.int().optional().meta({ description: "Only with `sort_by=storage_bytes`" }),
  })
  .meta({ id: "AdminUser" });
export type AdminUser = z.infer<typeof AdminUser>;

export const AdminUserPage = z.object({
  users: z.array(AdminUser),
  total: z.int(),
  page: z.int(),
  per_page: z.int(),
});
export type AdminUserPage = z.infer<typeof AdminUserPage>;

export const updateUserBody = z.object({
  is_admin: nonNull(z.boolean(errorTexts.is_admin_not_boolean)),
  disabled: nonNull(z.boolean(errorTexts.disabled_not_boolean)),
  quota: quotaInput,
});
export type UpdateAdminUser = z.infer<typeof updateUserBody>;
