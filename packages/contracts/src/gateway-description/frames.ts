import { z } from "zod";
import { type ClientEventName, clientEventNames, events } from "../events.js";
import { ChannelActivity, type ClientOp, clientOps, cursor, Ready, Resumed, ViewAck } from "../gateway.js";

/** Frames that a gateway sends: DISPATCH by the name of its event, and the answers. */
export type ServerFrameName = ClientEventName | "READY" | "RESUMED" | "VIEW_ACK" | "CHANNEL_ACTIVITY" | "HEARTBEAT_ACK";

const dispatch = (name: string, numbering: { s?: z.ZodType }, payload: z.ZodType) =>
  z.object({ op: z.literal("DISPATCH"), t: z.literal(name), ...numbering, d: payload });

const numbered = { s: cursor.optional() };

/** Every frame of a gateway as it goes over the wire (docs/protocol/connecting.md#14.2). */
export const serverFrames: ReadonlyMap<ServerFrameName, z.ZodType> = new Map<ServerFrameName, z.ZodType>([
  ["READY", dispatch("READY", numbered, Ready)],
  ["RESUMED", dispatch("RESUMED", { s: cursor }, Resumed)],
  ["VIEW_ACK", dispatch("VIEW_ACK", {}, ViewAck)],
  ["CHANNEL_ACTIVITY", dispatch("CHANNEL_ACTIVITY", {}, ChannelActivity)],
  ["HEARTBEAT_ACK", z.object({ op: z.literal("HEARTBEAT_ACK"), t: z.null(), d: z.null() })],
  ...clientEventNames.map((name): [ServerFrameName, z.ZodType] => {
    const { payload, kind } = events[name];
    return [name, dispatch(name, kind === "durable" ? numbered : {}, payload)];
  }),
]);

/** Every frame of a client: `t` may be absent or anything, it is not read. */
export const clientFrames: ReadonlyMap<ClientOp, z.ZodType> = new Map(
  clientOpNames().map((op) => {
    const payload = op === "HEARTBEAT" ? z.unknown().optional() : clientOps[op];
    return [op, z.object({ op: z.literal(op), t: z.unknown().optional(), d: payload })];
  }),
);

function clientOpNames(): ClientOp[] {
  return Object.keys(clientOps).filter((name): name is ClientOp => Object.hasOwn(clientOps, name));
}
