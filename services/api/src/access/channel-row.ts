import { z } from "zod";

/** A row of the table `channels`. */
export const channelRow = z.object({
  id: z.string(),
  server_id: z.string(),
  name: z.string(),
  type: z.string(),
  position: z.int(),
  category: z.string().nullable(),
  topic: z.string().nullable(),
  created_at: z.date(),
});
export type ChannelRow = z.infer<typeof channelRow>;

/** The columns of {@link channelRow}, in a statement where the table has the alias `c`. */
export const channelColumns = Object.keys(channelRow.shape)
  .map((column) => `c.${column}`)
  .join(", ");
