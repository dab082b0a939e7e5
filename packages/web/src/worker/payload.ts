/** A message that the server pushes (docs/interface.md#26.2). */
export interface PushedMessage {
  type: "message";
  title: string;
  /** Absent where the account has no contents pushed. */
  text?: string;
  server_id: string | null;
  channel_id: string;
  message_id: string;
  url: string;
  /** The channel: one notification is shown of it, the last one. */
  tag: string;
  /** Messages that the push is for. */
  count: number;
}

/** That a channel was read on another device. */
export interface PushedRead {
  type: "read";
  tag: string;
}

/** What was pushed; null for what this version does not know. */
export function readPayload(data: PushMessageData | null): PushedMessage | PushedRead | null {
  const payload: unknown = data?.json();
  return isPayload(payload) ? payload : null;
}

const isPayload = (payload: unknown): payload is PushedMessage | PushedRead =>
  typeof payload === "object" &&
  payload !== null &&
  "type" in payload &&
  ["message", "read"].includes(String(payload.type));
