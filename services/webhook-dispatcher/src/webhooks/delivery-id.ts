import { createHash } from "node:crypto";

/**
 * Id of the delivery of an event to a webhook: always the same for the same two, so that an event that is read again
 * makes no second delivery. It keeps the event's time, so that ids sort by creation like every UUIDv7.
 *
 * @param eventId UUIDv7
 */
export function deliveryIdOf(eventId: string, webhookId: string): string {
  const digest = createHash("sha256").update(`${eventId}.${webhookId}`).digest();
  const bytes = Buffer.concat([Buffer.from(eventId.slice(0, 13).replace("-", ""), "hex"), digest.subarray(0, 10)]);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
