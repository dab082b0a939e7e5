import { z } from "zod";
import { automodTriggerTypes, linkModes, wordMatches } from "../moderation-kinds.js";
import { timestamp, uuid } from "./identifiers.js";

/** The types of a rule's trigger (docs/protocol/automod.md#24.8). */
export const AutomodTriggerType = z.enum(automodTriggerTypes).meta({ id: "AutomodTriggerType" });
export type AutomodTriggerType = z.infer<typeof AutomodTriggerType>;

/** Triggers that judge an edited message. */
export const editTriggerTypes: readonly AutomodTriggerType[] = ["words", "regex", "links", "invites", "mentions"];

const words = { words: z.array(z.string()), match: z.enum(wordMatches), allow: z.array(z.string()) };

/** When a rule matches. */
export const AutomodTrigger = z
  .discriminatedUnion("type", [
    z.object({ type: z.literal("words"), ...words }),
    z.object({ type: z.literal("regex"), patterns: z.array(z.string()) }),
    z.object({ type: z.literal("links"), domains: z.array(z.string()), mode: z.enum(linkModes) }),
    z.object({ type: z.literal("invites") }),
    z.object({ type: z.literal("mentions"), max: z.int() }),
    z.object({ type: z.literal("repetition"), max: z.int(), window_secs: z.int() }),
    z.object({ type: z.literal("attachments"), mime_types: z.array(z.string()), max: z.int().optional() }),
    z.object({ type: z.literal("caps"), min_length: z.int(), percent: z.int() }),
    z.object({ type: z.literal("name"), ...words }),
  ])
  .meta({ id: "AutomodTrigger" });
export type AutomodTrigger = z.infer<typeof AutomodTrigger>;

/** An action of a rule that matched. */
export const AutomodRuleAction = z
  .discriminatedUnion("type", [
    z.object({ type: z.literal("block"), message: z.string().optional() }),
    z.object({ type: z.literal("delete") }),
    z.object({ type: z.literal("flag") }),
    z.object({ type: z.literal("timeout"), minutes: z.int() }),
    z.object({ type: z.literal("kick") }),
    z.object({ type: z.literal("ban") }),
  ])
  .meta({ id: "AutomodRuleAction" });
export type AutomodRuleAction = z.infer<typeof AutomodRuleAction>;

/** A rule of auto-moderation that a server has made. */
export const AutomodRule = z
  .object({
    id: uuid,
    server_id: uuid,
    name: z.string(),
    enabled: z.boolean(),
    trigger: AutomodTrigger,
    exempt_role_ids: z.array(uuid),
    exempt_channel_ids: z.array(uuid),
    actions: z.array(AutomodRuleAction),
    created_by: uuid.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "AutomodRule" });
export type AutomodRule = z.infer<typeof AutomodRule>;

/** Which rules a text would match. */
export const AutomodRuleMatches = z
  .object({ matches: z.array(z.object({ rule_id: uuid, term: z.string().nullable() })) })
  .meta({ id: "AutomodRuleMatches" });
export type AutomodRuleMatches = z.infer<typeof AutomodRuleMatches>;
