import { z } from "zod";
import { forkBenchChild } from "./program.js";

const Headers = z.record(z.string(), z.string());

/** What runs beside the messages. */
export const ComfortLoad = z.discriminatedUnion("kind", [
  /** Asks for previews of pages that nobody has asked for before, four at a time. */
  z.object({ kind: z.literal("previews"), url: z.string(), headers: Headers }),
  /** Exports a server again and again. */
  z.object({ kind: z.literal("export"), url: z.string(), headers: Headers }),
]);
export type ComfortLoad = z.infer<typeof ComfortLoad>;

export const ComfortCommand = z.discriminatedUnion("command", [
  z.object({ command: z.literal("start"), load: ComfortLoad }),
  z.object({ command: z.literal("stop") }),
]);

/** Previews answered, or bytes of archives read. */
const Done = z.number();

/** A process that asks for previews and exports, and serves the pages, so that its work delays no measurement. */
export interface ComfortClient {
  start(load: ComfortLoad): void;
  stop(): Promise<number>;
  end(): Promise<void>;
}

export function forkComfortClient(): ComfortClient {
  const child = forkBenchChild("comforts-process");
  return {
    start: (load) => child.send({ command: "start", load }),
    stop: () => child.ask({ command: "stop" }, Done),
    end: () => child.stop(),
  };
}
