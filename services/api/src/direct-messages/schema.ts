import { uuidInput } from "@parley/contracts";
import { z } from "zod";
import { messageContent } from "../messages/schema.js";

export const openChannelBody = z.object({ user_id: uuidInput("Invalid user_id") });
export const sendBody = z.object({ content: messageContent });
