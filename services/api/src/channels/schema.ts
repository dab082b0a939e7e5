import { channelTypes, clearableText, trimmedText } from "@parley/contracts";
import { z } from "zod";
import { position, unclearable } from "../http/input.js";

const name = trimmedText({ min: 1, max: 100, message: "Channel name must be 1-100 characters" });
const topic = clearableText(1024, "Topic must be at most 1024 characters").optional();
const category = clearableText(100, "Category must be at most 100 characters").optional();
const type = z.enum(channelTypes, "type must be text or voice");

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
