import { z } from "zod";

const Trace = z.object({ traceEvents: z.array(z.object({ name: z.string(), ts: z.number().default(0) })) });

/** What a trace of Chromium says of the frames: how many were drawn and dropped, from the first to the last of them. */
export function drawnFrames(trace: Uint8Array): { frames: number; dropped: number; seconds: number } {
  const { traceEvents } = Trace.parse(JSON.parse(Buffer.from(trace).toString("utf8")));
  const drawn = traceEvents.filter(({ name }) => name === "DrawFrame").map(({ ts }) => ts);
  const dropped = traceEvents.filter(({ name }) => name === "DroppedFrame").length;
  const [first, last] = [Math.min(...drawn), Math.max(...drawn)];
  return { frames: drawn.length - 1, dropped, seconds: (last - first) / 1_000_000 };
}
