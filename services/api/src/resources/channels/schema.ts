import { channelTypes, clearableText, errorTexts, trimmedText } from "@parley/contracts";
import { z } from "zod";
import { position, unclearable } from "../../http/input.js";

const name = trimmedText({ min: 1, max: 100, message: errorTexts.channel_name_length });
const topic = clearableText(1024, errorTexts.topic_length).optional();
const category = clearableText(100, errorTexts.category_length).optional();
const type = z.enum(channelTypes, errorTexts.channel_type_invalid);

export const createChannelBody = z.object({ name, type: unclearable(type), topic, category });
export type CreateChannel = z.infer<typeof createChannelBody>;

export const updateChannelBody = z.object({
  name: unclearable(name),
  type: unclearable(type),
  topic,
  category,
  position: unclearable(position),
});
export type UpdateChannel = z.infer<typeof updateChannelBody>;
