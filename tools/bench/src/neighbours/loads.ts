import { sum } from "../measure.js";

export interface HostileRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

interface Sockets {
  readonly port: number;
  readonly paths: readonly string[];
}

/** The load of a hostile tenant, at a rate of its own choice; data, because a process cannot receive functions. */
export type HostileLoad =
  /** Sends the requests in turns, up to `inFlightMax`: whether or not earlier ones are answered, or as soon as they are. */
  | {
      readonly kind: "requests";
      readonly requests: readonly HostileRequest[];
      readonly perSecond: number | "as answered";
      readonly inFlightMax: number;
      /** Sends each request once instead of beginning again. */
      readonly once?: boolean;
    }
  /** Holds WebSocket connections, opens closed ones again, and sends each of `texts` in turns on every one. */
  | (Sockets & { readonly kind: "sockets"; readonly texts: readonly string[]; readonly perSecond: number })
  /** Connects each path, and again as soon as so many frames have come, by default READY alone. */
  | (Sockets & { readonly kind: "reconnects"; readonly frames?: number })
  /** Opens connections and sends heads of requests that never end. */
  | { readonly kind: "unfinished"; readonly port: number; readonly connections: number };

/** The results of the hostile tenant. */
export interface HostileReport {
  seconds: number;
  /** Answers by status; "unanswered" were under way at the end, for "no answer" the connection ended or time was up. */
  answers: Record<string, number>;
  /** Frames sent, connections that became ready, heads sent. */
  done: number;
  /** How long the slowest answered request took. */
  slowestMs: number;
}

/** How many answers had this status. */
export function answered({ answers }: HostileReport, status: number): number {
  return answers[status] ?? 0;
}

/** "49/s (201 ×480, 429 ×12; slowest 31 ms)". */
export function loadInWords({ seconds, answers, done, slowestMs }: HostileReport): string {
  const perSecond = (sum(Object.values(answers)) + done) / seconds;
  const statuses = Object.entries(answers)
    .map(([status, count]) => `${status} ×${count}`)
    .join(", ");
  const answersInWords = statuses === "" ? "" : ` (${statuses}; slowest ${slowestMs.toFixed(0)} ms)`;
  return `${perSecond.toFixed(perSecond < 10 ? 1 : 0)}/s${answersInWords}`;
}
