import { heartbeatAckFrame } from "@parley/contracts";
import type { Connection } from "../connection.js";
import { encodeTextFrame } from "../websocket-frame.js";

const ackFrame = encodeTextFrame(Buffer.from(heartbeatAckFrame));

/** HEARTBEAT: one HEARTBEAT_ACK, to this connection only (contract.md 14.2). */
export function answerHeartbeat(connection: Connection): void {
  connection.answer(ackFrame);
}
