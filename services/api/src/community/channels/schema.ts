import { channelTypes, clearableName, clearableText, errorTexts, nameText } from "@parley/contracts";
import { z } from "zod";
import { nonNull, position } from "../../platform/http/input.js";

const name = nameText({ min: 1, max: 100, message: errorTexts.channel_name_length });
const topic = clearableText(1024, errorTexts.topic_length).optional();
const category = clearableName(100, errorTexts.category_length).optional();
const type = z.enum(channelTypes, errorTexts.channel_type_invalid);

export const createChannelBody = z.object({ name, type: nonNull(type), topic, category });
export type CreateChannel = z.infer<typeof createChannelBody>;

/** Longest time between two messages: six hours (docs/protocol/messages.md#24.3). */
const slowModeSecondsMax = 21_600;
const slowModeSeconds = z
  .int(errorTexts.slow_mode_seconds_range)
  .min(0, errorTexts.slow_mode_seconds_range)
  .max(slowModeSecondsMax, errorTexts.slow_mode_seconds_range);

/** Most members that a limit of a voice channel lets in (docs/protocol/calls.md#34.6). */
const userLimitMax = 99;
const userLimit = z
  .int(errorTexts.user_limit_range)
  .min(0, errorTexts.user_limit_range)
  .max(userLimitMax, errorTexts.user_limit_range);

export const updateChannelBody = z.object({
  name: nonNull(name),
  type: nonNull(type),
  topic,
  category,
  position: nonNull(position),
  slow_mode_seconds: nonNull(slowModeSeconds),
  user_limit: nonNull(userLimit),
});
export type UpdateChannel = z.infer<typeof updateChannelBody>;
