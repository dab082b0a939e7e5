import { z } from "zod";

/** What a server says and wants to hear on a new connection. */
export const Dialect = z.object({
  /** Sent as a text frame once the upgrade is answered. */
  greeting: z.string().nullable(),
  /** The connection is ready when so many frames have come. */
  helloFrames: z.int(),
});
export type Dialect = z.infer<typeof Dialect>;

const Target = z.object({ port: z.int(), paths: z.array(z.string()), dialect: Dialect });

/** What a reader process is told; it answers each command once, in order, with what `readerAnswers` says. */
export const ReaderCommand = z.discriminatedUnion("command", [
  /** Opens one connection per path; at most `inFlightMax` wait for being ready at a time. */
  Target.extend({ command: z.literal("connect"), inFlightMax: z.int() }),
  /**
   * Counts from zero from now on. Every socket pings first, so that no server takes it for idle, and the answer comes
   * when all pongs are there: what the server does next is not slowed down by reading them.
   */
  z.object({ command: z.literal("begin"), payloadBytes: z.int(), timed: z.boolean() }),
  /** Answers when every socket has got so many frames, or time is up. */
  z.object({ command: z.literal("finish"), framesPerSocket: z.int(), timeoutMs: z.number() }),
  /** Opens connections at a rate and closes each a while after it is ready. */
  Target.extend({
    command: z.literal("churn"),
    perSecond: z.number(),
    durationMs: z.number(),
    holdMs: z.number(),
  }),
  z.object({ command: z.literal("disconnect") }),
]);
export type ReaderCommand = z.infer<typeof ReaderCommand>;

/** Answers by command. Times are milliseconds of the machine's monotonic clock. */
export const readerAnswers = {
  connect: z.object({
    startedAt: z.number(),
    /** When each connection that got there was ready. */
    readyAt: z.instanceof(Float64Array),
    failed: z.int(),
  }),
  begin: z.object({}),
  finish: z.object({
    counted: z.int(),
    /** Sockets that got exactly what they were to get. */
    complete: z.int(),
    lastAt: z.number(),
    /** When timed: the arrival of each frame, and which frame of its socket it was, from 0. */
    arrivedAt: z.instanceof(Float64Array),
    numbers: z.instanceof(Uint32Array),
  }),
  churn: z.object({ opened: z.int(), ready: z.int(), failed: z.int() }),
  disconnect: z.object({}),
} as const;
export type ReaderAnswers = { [C in keyof typeof readerAnswers]: z.infer<(typeof readerAnswers)[C]> };
