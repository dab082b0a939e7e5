import { clientOps } from "@parley/contracts";
import type { Typing } from "@parley/presence";
import type { OpHandler } from "../session/client-messages.js";

/** TYPING_START of a client (docs/protocol/connecting.md#14.3). */
export function createTypingStart(type: Typing): OpHandler {
  return async ({ userId }, d) => {
    const op = clientOps.TYPING_START.safeParse(d);
    if (op.success) await type(userId, op.data.channel_id);
  };
}
