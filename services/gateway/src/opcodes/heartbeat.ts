import { heartbeatAckFrame } from "@parley/contracts";
import type { OpHandler } from "../client-messages.js";
import { encodeTextFrame } from "../websocket-frame.js";

const ackFrame = encodeTextFrame(Buffer.from(heartbeatAckFrame));

/** HEARTBEAT: one HEARTBEAT_ACK, to this connection only (contract.md 14.2). */
export const answerHeartbeat: OpHandler = (connection) => connection.answer(ackFrame);
