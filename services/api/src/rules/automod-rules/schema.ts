import {
  type AutomodRuleAction,
  type AutomodTrigger,
  errorTexts,
  listOf,
  nameText,
  ruleLimits,
  text,
} from "@parley/contracts";
import { z } from "zod";
import { identifier, nonNull } from "../../platform/http/input.js";
import { distinctOf, trigger } from "./trigger-schema.js";

const message = errorTexts.rule_actions_invalid;
const minutes = z.int(errorTexts.timeout_minutes_range);

const action = z.discriminatedUnion(
  "type",
  [
    z.object({
      type: z.literal("block"),
      message: text({ min: 1, max: ruleLimits.message, message: errorTexts.rule_block_message_length }).optional(),
    }),
    z.object({ type: z.literal("delete") }),
    z.object({ type: z.literal("flag") }),
    z.object({
      type: z.literal("timeout"),
      minutes: minutes.min(1, errorTexts.timeout_minutes_range).max(10_080, errorTexts.timeout_minutes_range),
    }),
    z.object({ type: z.literal("kick") }),
    z.object({ type: z.literal("ban") }),
  ],
  { error: message },
);

const exemptions = (text: string) => distinctOf(identifier, { min: 0, max: ruleLimits.exemptions, message: text });

const fields = {
  name: nameText({ min: 1, max: ruleLimits.name, message: errorTexts.rule_name_length }),
  enabled: z.boolean(errorTexts.enabled_not_boolean),
  trigger,
  exempt_role_ids: exemptions(errorTexts.rule_exempt_roles_invalid),
  exempt_channel_ids: exemptions(errorTexts.rule_exempt_channels_invalid),
  actions: listOf(action, { min: 1, max: ruleLimits.actions, message }),
};

export const createRuleBody = z.object({
  ...fields,
  enabled: fields.enabled.default(true),
  exempt_role_ids: fields.exempt_role_ids.default([]),
  exempt_channel_ids: fields.exempt_channel_ids.default([]),
});
export type CreateRule = z.infer<typeof createRuleBody>;

export const updateRuleBody = z.object({
  name: nonNull(fields.name),
  enabled: nonNull(fields.enabled),
  trigger: nonNull(fields.trigger),
  exempt_role_ids: nonNull(fields.exempt_role_ids),
  exempt_channel_ids: nonNull(fields.exempt_channel_ids),
  actions: nonNull(fields.actions),
});
export type UpdateRule = z.infer<typeof updateRuleBody>;

export const testBody = z.object({
  content: text({ min: 1, max: 4_000, message: errorTexts.rule_test_content_length }),
});

/** Whether the actions differ, do not contradict each other and have something to act on. */
export function fitTogether({ type }: AutomodTrigger, actions: readonly AutomodRuleAction[]): boolean {
  const types = new Set(actions.map((action) => action.type));
  if (types.size < actions.length) return false;
  if (types.has("block") && types.has("delete")) return false;
  if (types.has("kick") && types.has("ban")) return false;
  // A name belongs to a member: there is no message, and somebody whose name is unwanted is not silenced.
  return type !== "name" || !(types.has("block") || types.has("delete") || types.has("timeout"));
}
