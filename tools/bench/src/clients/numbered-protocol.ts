import { z } from "zod";

/** What a process of numbered clients is told; it answers each command once, in order, with what `numberedAnswers` says. */
export const NumberedCommand = z.discriminatedUnion("command", [
  /** Opens one connection per client; at most `inFlightMax` wait for READY at a time. */
  z.object({
    command: z.literal("connect"),
    port: z.int(),
    clients: z.array(z.object({ number: z.int(), path: z.string() })),
    inFlightMax: z.int(),
  }),
  /** Waits until every connection has ended, then opens all again at once, each with its last cursor. */
  z.object({ command: z.literal("continue"), port: z.int() }),
  /** Answers when so many events have arrived since the start, or none has come for a while. */
  z.object({ command: z.literal("collect"), events: z.int(), quietMs: z.number() }),
]);
export type NumberedCommand = z.infer<typeof NumberedCommand>;

/** Answers by command. Times are milliseconds of the machine's monotonic clock. */
export const numberedAnswers = {
  connect: z.object({ failed: z.int() }),
  continue: z.object({
    startedAt: z.number(),
    /** When each client that got an answer had RESUMED or READY. */
    answeredAt: z.instanceof(Float64Array),
    /** RESUMED, or the reason for READY, by how many got it. */
    answers: z.record(z.string(), z.int()),
    /** Connections that ended before the answer; their clients tried again. */
    cut: z.int(),
    failed: z.int(),
    /** Clients that did not get RESUMED: they have to read again what they missed. */
    begunAnew: z.array(z.int()),
  }),
  collect: z.object({
    /** Each arrival: which client, which event, when. */
    clients: z.instanceof(Uint32Array),
    events: z.instanceof(Uint32Array),
    arrivedAt: z.instanceof(Float64Array),
  }),
} as const;
export type NumberedAnswers = { [C in keyof typeof numberedAnswers]: z.infer<(typeof numberedAnswers)[C]> };
