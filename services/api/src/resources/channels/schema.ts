import { channelTypes, clearableText, trimmedText } from "@parley/contracts";
import { z } from "zod";
import { position, unclearable } from "../../http/input.js";
import { channelErrors } from "./error-texts.js";

const name = trimmedText({ min: 1, max: 100, message: channelErrors.name });
const topic = clearableText(1024, channelErrors.topic).optional();
const category = clearableText(100, channelErrors.category).optional();
const type = z.enum(channelTypes, channelErrors.type);

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
