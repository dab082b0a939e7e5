import { z } from "zod";
import { nonNull } from "../../http/input.js";
import { createEventBody } from "../scheduled-events/schema.js";

const { name, description, starts_at } = createEventBody.shape;

export const updateEventBody = z.object({ name: nonNull(name), description, starts_at: nonNull(starts_at) });
export type UpdateEvent = z.infer<typeof updateEventBody>;
