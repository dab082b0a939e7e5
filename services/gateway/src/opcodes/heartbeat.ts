import { heartbeatAckFrame } from "@parley/contracts";
import { encodeTextFrame } from "../connection/frames.js";
import type { OpHandler } from "../session/client-messages.js";

const ackFrame = encodeTextFrame(Buffer.from(heartbeatAckFrame));

/** HEARTBEAT: one HEARTBEAT_ACK, to this connection only (docs/interface.md#14.2). */
export const answerHeartbeat: OpHandler = (connection) => connection.answer(ackFrame);
