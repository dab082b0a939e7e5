import { timestamp, uuid } from "@parley/contracts";
import { z } from "zod";

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
