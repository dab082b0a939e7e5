import type { MessagePush, ReadPush } from "@parley/contracts";

/** The payload of a push; null for one that this version does not know. */
export function readPayload(data: PushMessageData | null): MessagePush | ReadPush | null {
  const payload: unknown = data?.json();
  return isPayload(payload) ? payload : null;
}

const isPayload = (payload: unknown): payload is MessagePush | ReadPush =>
  typeof payload === "object" &&
  payload !== null &&
  "type" in payload &&
  ["message", "read"].includes(String(payload.type));
