import { z } from "zod";
import { automodTriggerTypes } from "../moderation-kinds.js";
import { timestamp, uuid } from "./identifiers.js";

export const automodActions = ["delete", "timeout", "kick", "ban"] as const;
export const automodRuleTypes = ["spam", "duplicate", "word_filter"] as const;

export const AutomodAction = z.enum(automodActions).meta({ id: "AutomodAction" });
export type AutomodAction = z.infer<typeof AutomodAction>;
export const AutomodRuleType = z.enum(automodRuleTypes).meta({ id: "AutomodRuleType" });
export type AutomodRuleType = z.infer<typeof AutomodRuleType>;

/** Auto-moderation settings of a server (docs/protocol/objects.md#4.24). */
export const AutomodConfig = z
  .object({
    server_id: uuid,
    enabled: z.boolean(),
    spam_enabled: z.boolean(),
    spam_max_messages: z.int(),
    spam_window_secs: z.int(),
    spam_action: AutomodAction,
    duplicate_enabled: z.boolean(),
    word_filter_enabled: z.boolean(),
    word_filter_action: AutomodAction,
    timeout_minutes: z.int(),
    updated_at: timestamp,
  })
  .meta({ id: "AutomodConfig" });
export type AutomodConfig = z.infer<typeof AutomodConfig>;

/** Most code points of a filtered word (docs/protocol/limits.md#16.1). */
export const filteredWordLengthMax = 100;

/** A word of the word filter (docs/protocol/objects.md#4.25). */
export const AutomodWord = z
  .object({ id: uuid, server_id: uuid, word: z.string(), created_by: uuid.nullable(), created_at: timestamp })
  .meta({ id: "AutomodWord" });
export type AutomodWord = z.infer<typeof AutomodWord>;

/** A verdict of auto-moderation (docs/protocol/objects.md#4.25). */
export const AutomodLogEntry = z
  .object({
    id: uuid,
    server_id: uuid,
    channel_id: uuid.nullable(),
    user_id: uuid.nullable(),
    username: z.string(),
    /** The trigger's type where a rule of docs/protocol/automod.md#24.8 matched. */
    rule_type: z.enum([...automodRuleTypes, ...automodTriggerTypes]),
    /** The gravest of the rule's actions. */
    action_taken: z.enum([...automodActions, "block", "flag"]),
    message_content: z.string(),
    matched_term: z.string().nullable(),
    /** Only with a rule of docs/protocol/automod.md#24.8. */
    rule_id: uuid.optional(),
    created_at: timestamp,
  })
  .meta({ id: "AutomodLogEntry" });
export type AutomodLogEntry = z.infer<typeof AutomodLogEntry>;
