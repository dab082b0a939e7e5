import { z } from "zod";

/** What a bare process says first. */
export const BareListening = z.object({ port: z.int() });

/** Write a frame with so many bytes of payload to every socket, again and again. */
export const BareCommand = z.object({ payloadBytes: z.int(), perSecond: z.number(), frames: z.int() });
export type BareCommand = z.infer<typeof BareCommand>;

/** When each of the frames was due, by the machine's monotonic clock. */
export const BareAnswer = z.object({ sentAt: z.array(z.number()) });
export type BareAnswer = z.infer<typeof BareAnswer>;
