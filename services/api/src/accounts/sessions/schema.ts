import { timestamp, uuid } from "@parley/contracts";
import { z } from "zod";

/** A session of the caller's account (docs/protocol/accounts.md#18.2). */
export const AccountSession = z
  .object({
    id: uuid,
    user_agent: z.string().nullable(),
    created_at: timestamp,
    last_used_at: timestamp,
    expires_at: timestamp,
    current: z.boolean(),
  })
  .meta({ id: "AccountSession", description: "A session; `current`: the one of the access token that asks." });
export type AccountSession = z.infer<typeof AccountSession>;
