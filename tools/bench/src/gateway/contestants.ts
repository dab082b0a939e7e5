import { randomUUID } from "node:crypto";
import { gatewayPaths, subjects } from "@parley/contracts";
import type { Target } from "../clients/clients.js";
import { type ProcessMemory, serviceMemory } from "../processes.js";
import { startProgram } from "../program.js";
import type { BenchStack } from "../stack.js";
import type { Room } from "../world.js";
import type { ServerFunctions } from "./servers.js";

/** A server process under measurement, in front of connections that all get the events of one channel. */
export interface Contestant extends Target {
  readonly pid: number;
  /** Where events are published so that this contestant gets them. */
  readonly serverId: string;
  readonly channelId: string;
  /** What so many connections ask for, from the n-th on. */
  paths(count: number, from?: number): string[];
  /** Length of the WebSocket payload that brings an event to a client. */
  payloadBytes(body: string): number;
  memory(): Promise<ProcessMemory>;
  stop(): Promise<void>;
}

/** The names of all, ours first. */
export const contestantNames = ["gateway", "naive ws", "socket.io"] as const;
export type ContestantName = (typeof contestantNames)[number];

/** The first frame of a gateway's connection is READY. */
export const gatewayDialect = { greeting: null, helloFrames: 1 };
/** The same, of a client that takes compressed frames. */
export const compressingDialect = { ...gatewayDialect, extensions: "permessage-deflate; client_max_window_bits" };
export const resumableDialect = { greeting: null, helloFrames: Number.POSITIVE_INFINITY, isResumable: true };

const rivals = {
  "naive ws": { path: "/", dialect: { greeting: null, helloFrames: 0 }, payloadBytes: Buffer.byteLength },
  "socket.io": {
    path: "/socket.io/?EIO=4&transport=websocket",
    // Connects to the main namespace; the server's two frames are the handshakes of Engine.IO and Socket.IO.
    dialect: { greeting: "40", helloFrames: 2 },
    payloadBytes: (body: string) => Buffer.byteLength(`42["DISPATCH",${JSON.stringify(JSON.parse(body))}]`),
  },
};

/** Starts a contestant; the gateway's connections are those of the room's members, in turns. */
export async function startContestant(stack: BenchStack, name: ContestantName, room: Room): Promise<Contestant> {
  if (name !== "gateway") return startRival(stack, name);
  const server = await stack.start("gateway");
  const paths = room.userIds.map((userId) => stack.socketPath(userId));
  return {
    pid: server.pid(),
    port: server.port,
    dialect: gatewayDialect,
    serverId: room.serverId,
    channelId: room.channelId,
    paths: (count, from = 0) =>
      Array.from({ length: count }, (_, n) => paths[(from + n) % paths.length] ?? gatewayPaths[0]),
    payloadBytes: Buffer.byteLength,
    memory: () => serviceMemory(server),
    stop: server.stop,
  };
}

async function startRival(stack: BenchStack, name: "naive ws" | "socket.io"): Promise<Contestant> {
  // Events of its own, so that contestants that wait cost the one that is measured nothing.
  const serverId = randomUUID();
  const program = startProgram<ServerFunctions>("gateway/servers");
  const { path, dialect, payloadBytes } = rivals[name];
  return {
    pid: program.pid,
    port: await program.call(name, stack.servers.nats.url, subjects.liveServer(serverId)),
    dialect,
    serverId,
    channelId: randomUUID(),
    paths: (count) => Array.from({ length: count }, () => path),
    payloadBytes,
    memory: () => program.call("memory"),
    stop: program.stop,
  };
}
