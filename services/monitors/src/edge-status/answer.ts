/** An answer of the edge. */
export interface EdgeAnswer {
  status: string;
  /** From the first byte of the request to the last of the answer; of a WebSocket, how long it lived. */
  seconds: number;
  /** A service, or nginx itself. */
  by: "service" | "edge";
}

const pattern = /: (\d{3}) (\d+\.\d+) (service|edge)$/;

/**
 * Reads a line that nginx sends by syslog in the format `edge_status` (deploy/nginx/nginx.conf); null for anything
 * else.
 */
export function readAnswer(line: string): EdgeAnswer | null {
  const [, status, seconds, by] = pattern.exec(line) ?? [];
  if (status === undefined) return null;
  return { status, seconds: Number(seconds), by: by === "service" ? "service" : "edge" };
}
