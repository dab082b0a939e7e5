import { channelTypes, clearableText, errorTexts, trimmedText } from "@parley/contracts";
import { z } from "zod";
import { nonNull, position } from "../../http/input.js";

const name = trimmedText({ min: 1, max: 100, message: errorTexts.channel_name_length });
const topic = clearableText(1024, errorTexts.topic_length).optional();
const category = clearableText(100, errorTexts.category_length).optional();
const type = z.enum(channelTypes, errorTexts.channel_type_invalid);

export const createChannelBody = z.object({ name, type: nonNull(type), topic, category });
export type CreateChannel = z.infer<typeof createChannelBody>;

export const updateChannelBody = z.object({
  name: nonNull(name),
  type: nonNull(type),
  topic,
  category,
  position: nonNull(position),
});
export type UpdateChannel = z.infer<typeof updateChannelBody>;
