import { z } from "zod";
import { groupName } from "../direct-messages/group-schema.js";

export const updateGroupBody = z.object({ name: groupName });
