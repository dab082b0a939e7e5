import { z } from "zod";
import { forkBenchChild } from "../program.js";

const HostileRequest = z.object({
  method: z.string(),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  /** JSON. */
  body: z.string().optional(),
});

const Sockets = z.object({ port: z.int(), paths: z.array(z.string()).readonly() });

/** What a hostile tenant does, at a rate of its own choice: a process cannot be told functions. */
export const HostileLoad = z.discriminatedUnion("kind", [
  /** Sends the requests in turns, whether or not earlier ones are answered, up to `inFlightMax`. */
  z.object({
    kind: z.literal("requests"),
    requests: z.array(HostileRequest).readonly(),
    perSecond: z.number(),
    inFlightMax: z.int(),
    /** Sends each request once instead of beginning again. */
    once: z.boolean().default(false),
  }),
  /** Holds WebSocket connections, opens closed ones again, and sends each of `texts` in turns on every one. */
  Sockets.extend({ kind: z.literal("sockets"), texts: z.array(z.string()).readonly(), perSecond: z.number() }),
  /** Connects each path, and again as soon as so many frames have come, by default READY alone. */
  Sockets.extend({ kind: z.literal("reconnects"), frames: z.int().default(1) }),
  /** Opens connections and sends heads of requests that never end. */
  z.object({ kind: z.literal("unfinished"), port: z.int(), connections: z.int() }),
]);
export type HostileLoad = z.input<typeof HostileLoad>;

export const HostileCommand = z.discriminatedUnion("command", [
  z.object({ command: z.literal("start"), loads: z.array(HostileLoad).readonly() }),
  z.object({ command: z.literal("stop") }),
]);

/** What the hostile tenant got done. */
export const HostileReport = z.object({
  seconds: z.number(),
  /** Answers by status; "unanswered" is what was under way at the end, "no answer" where the connection ended or time was up. */
  answers: z.record(z.string(), z.int()),
  /** Frames sent, connections that became ready, heads sent. */
  done: z.int(),
});
export type HostileReport = z.infer<typeof HostileReport>;

/** A process that plays the hostile tenant, so that its work does not delay what measures the quiet one. */
export interface HostileTenant {
  /** Resolves when connections that the loads hold are ready. */
  start(loads: readonly HostileLoad[]): Promise<void>;
  stop(): Promise<HostileReport>;
  end(): Promise<void>;
}

export function forkHostileTenant(): HostileTenant {
  const child = forkBenchChild("neighbours/process");
  return {
    async start(loads) {
      child.send({ command: "start", loads });
      await child.receive(z.literal("started"));
    },
    async stop() {
      child.send({ command: "stop" });
      return child.receive(HostileReport);
    },
    end: () => child.stop(),
  };
}

/** How many answers had this status. */
export function answered({ answers }: HostileReport, status: number): number {
  return answers[status] ?? 0;
}

/** "49/s: 201 ×480, 429 ×12". */
export function loadInWords({ seconds, answers, done }: HostileReport): string {
  const counts = Object.entries(answers);
  const total = counts.reduce((sum, [, count]) => sum + count, done);
  const statuses = counts.map(([status, count]) => `${status} ×${count}`).join(", ");
  return `${(total / seconds).toFixed(total / seconds < 10 ? 1 : 0)}/s${statuses === "" ? "" : ` (${statuses})`}`;
}
