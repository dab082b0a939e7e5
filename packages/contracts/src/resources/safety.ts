import { z } from "zod";
import { timestamp, uuid } from "./identifiers.js";

/** Bounds of the settings of {@link Safety}, and of a raid that is begun by hand. */
export const safetyBounds = {
  min_account_age_minutes: { min: 0, max: 525_600 },
  min_membership_minutes: { min: 0, max: 525_600 },
  raid_joins_per_minute: { min: 1, max: 10_000 },
  raid_new_accounts_hours: { min: 1, max: 8_760 },
  raid_minutes: { min: 1, max: 1_440 },
  minutes: { min: 1, max: 1_440 },
} as const;

/** Longest text of a server's rules. */
export const rulesLengthMax = 4_000;

const bounded = (name: keyof typeof safetyBounds, example: number) =>
  z.int().meta({ minimum: safetyBounds[name].min, maximum: safetyBounds[name].max, example });
const rules = z.string().nullable().meta({ maxLength: rulesLengthMax, example: "Be kind." });

/** A server's conditions for newcomers, and its signs of raids (docs/protocol/moderation.md#24.7). */
export const Safety = z
  .object({
    min_account_age_minutes: bounded("min_account_age_minutes", 0),
    min_membership_minutes: bounded("min_membership_minutes", 0),
    require_verified_email: z.boolean(),
    rules,
    rules_for_all: z.boolean(),
    raid_shield: z.boolean(),
    raid_joins_per_minute: bounded("raid_joins_per_minute", 60),
    raid_new_accounts_hours: bounded("raid_new_accounts_hours", 24),
    raid_minutes: bounded("raid_minutes", 30),
  })
  .meta({ id: "Safety" });
export type Safety = z.infer<typeof Safety>;

/** The rules of a server, as a member reads them. */
export const ServerRules = z
  .object({
    rules,
    accepted: z.boolean().meta({ description: "False while the caller is to accept them before writing" }),
  })
  .meta({ id: "ServerRules" });
export type ServerRules = z.infer<typeof ServerRules>;

/** Whether a server is under raid. */
export const Raid = z
  .object({
    until: timestamp.nullable().meta({ description: "Null when the server is not under raid" }),
    joined: z.int().meta({
      minimum: 0,
      example: 61,
      description: "Who joined during the latest raid, from 60 s before it began; 0 from 7 days after its end",
    }),
  })
  .meta({ id: "Raid" });
export type Raid = z.infer<typeof Raid>;

/** Answer to the beginning of a raid by hand. */
export const RaidEnd = z.object({ until: timestamp }).meta({ id: "RaidEnd" });
export type RaidEnd = z.infer<typeof RaidEnd>;

/** Payload of SERVER_RAID_START and SERVER_RAID_END. */
export const ServerRaid = z.object({ server_id: uuid, until: timestamp });
