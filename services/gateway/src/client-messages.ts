import { isUtf8 } from "node:buffer";
import { ClientEnvelope, type ClientOp } from "@parley/contracts";
import type { Connection } from "./connection.js";
import type { GatewayMetrics } from "./metrics.js";
import { answerHeartbeat } from "./opcodes/heartbeat.js";

/** What a client's op does; `d` is as it came. */
export type OpHandler = (connection: Connection, d: unknown) => void | Promise<void>;

/** Takes one message of a client. Whatever is wrong with it, it is dropped and the connection stays open (14.2). */
export type ReceiveMessage = (connection: Connection, data: Uint8Array, isBinary: boolean) => void;

/** The ops that this gateway understands. */
export function createMessageReceiver(options: { metrics: GatewayMetrics }): ReceiveMessage {
  const { metrics } = options;
  const handlers = new Map<ClientOp, OpHandler>([["HEARTBEAT", answerHeartbeat]]);
  return (connection, data, isBinary) => {
    if (!connection.rate.admit(performance.now())) {
      metrics.messagesDropped += 1;
      return;
    }
    if (isBinary) return;
    const envelope = readEnvelope(data);
    if (envelope !== null) void handlers.get(envelope.op)?.(connection, envelope.d);
  };
}

function readEnvelope(data: Uint8Array): { op: ClientOp; d: unknown } | null {
  // ws leaves the check to us: invalid UTF-8 is malformed JSON like any other, not a reason to close.
  if (!isUtf8(data)) return null;
  try {
    const parsed = ClientEnvelope.safeParse(JSON.parse(Buffer.from(data).toString()));
    return parsed.success ? { op: parsed.data.op, d: parsed.data.d } : null;
  } catch {
    return null;
  }
}
