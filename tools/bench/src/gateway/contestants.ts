import { randomUUID } from "node:crypto";
import { gatewayPaths, subjects } from "@parley/contracts";
import { z } from "zod";
import type { Dialect } from "../clients/reader-protocol.js";
import { type BenchChild, forkBenchChild } from "../program.js";
import type { BenchStack } from "../stack.js";
import { gatewayPathsOf, type Room } from "../world.js";

/** What V8 says about a process's memory. */
export interface MemoryHint {
  heapUsed: number;
  external: number;
}

/** A server process under measurement, in front of connections that all get the events of one channel. */
export interface Contestant {
  readonly name: string;
  readonly pid: number;
  readonly port: number;
  readonly dialect: Dialect;
  /** Where events are published so that this contestant gets them. */
  readonly serverId: string;
  readonly channelId: string;
  /** What the connection of that number asks for. */
  path(connection: number): string;
  /** Length of the WebSocket payload that brings an event to a client. */
  payloadBytes(body: string): number;
  memory(): Promise<MemoryHint>;
  stop(): Promise<void>;
}

/** The names of all, ours first. */
export const contestantNames = ["gateway", "naive ws", "socket.io"] as const;
export type ContestantName = (typeof contestantNames)[number];

/** Starts a contestant; the gateway's connections are those of the room's members, in turns. */
export async function startContestant(stack: BenchStack, name: ContestantName, room: Room): Promise<Contestant> {
  switch (name) {
    case "gateway":
      return startGateway(stack, room);
    case "naive ws":
      return startRival(stack, name, {
        file: "gateway/naive-server",
        path: "/",
        dialect: { greeting: null, helloFrames: 0 },
        payloadBytes: (body) => Buffer.byteLength(body),
      });
    case "socket.io":
      return startRival(stack, name, {
        file: "gateway/socketio-server",
        path: "/socket.io/?EIO=4&transport=websocket",
        // Connects to the main namespace; the server's two frames are the handshakes of Engine.IO and Socket.IO.
        dialect: { greeting: "40", helloFrames: 2 },
        payloadBytes: (body) => Buffer.byteLength(`42["DISPATCH",${JSON.stringify(JSON.parse(body))}]`),
      });
  }
}

/** The first frame of a gateway's connection is READY. */
export const gatewayDialect: Dialect = { greeting: null, helloFrames: 1 };

async function startGateway(stack: BenchStack, { serverId, channelId, userIds }: Room): Promise<Contestant> {
  const server = await stack.start("gateway");
  const paths = gatewayPathsOf(stack.jwtSecret, userIds);
  return {
    name: "gateway",
    pid: server.pid(),
    port: server.port,
    dialect: gatewayDialect,
    serverId,
    channelId,
    path: (connection) => paths[connection % paths.length] ?? gatewayPaths[0],
    payloadBytes: (body) => Buffer.byteLength(body),
    memory: () => serviceMemory(server),
    stop: server.stop,
  };
}

/** What a service's metrics say about its memory. */
export async function serviceMemory(service: { url: string }): Promise<MemoryHint> {
  const read = await readMetrics(service);
  return { heapUsed: read("nodejs_heap_size_used_bytes"), external: read("nodejs_external_memory_bytes") };
}

/** Reads the metrics of a service. @returns gives the value of one by its name, NaN for none */
export async function readMetrics({ url }: { url: string }): Promise<(metric: string) => number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return (metric) => Number(new RegExp(`^${metric}\\S* (\\S+)`, "m").exec(text)?.[1]);
}

const Listening = z.object({ port: z.int() });
const Memory = z.object({ heapUsed: z.number(), external: z.number() });

async function startRival(
  stack: BenchStack,
  name: ContestantName,
  rival: { file: string; path: string } & Pick<Contestant, "dialect" | "payloadBytes">,
): Promise<Contestant> {
  // Events of its own, so that contestants that wait cost the one that is measured nothing.
  const serverId = randomUUID();
  const child: BenchChild = forkBenchChild(rival.file, [stack.natsUrl, subjects.liveServer(serverId)]);
  const { port } = await child.receive(Listening);
  return {
    name,
    pid: child.pid,
    port,
    dialect: rival.dialect,
    serverId,
    channelId: randomUUID(),
    path: () => rival.path,
    payloadBytes: rival.payloadBytes,
    memory() {
      child.send({});
      return child.receive(Memory);
    },
    stop: child.stop,
  };
}
