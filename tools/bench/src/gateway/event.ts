import { randomUUID } from "node:crypto";
import { dispatchFrame } from "@parley/contracts";

/** Bytes of an event's body: a short message. */
const bodyBytes = 350;

/** Nobody on the way reads the payload, so it need not be a message; its length counts. */
export function eventBody(start = ""): string {
  const frameOf = (content: string) => dispatchFrame("MESSAGE_CREATE", JSON.stringify({ id: randomUUID(), content }));
  return frameOf(start + "x".repeat(bodyBytes - frameOf(start).length));
}
