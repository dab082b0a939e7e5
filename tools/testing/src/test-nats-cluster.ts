import { findFreePort, type ServerProcess, startNatsServer } from "@parley/local-stack";
import { z } from "zod";
import { freshFolder } from "./test-servers.js";
import { waitUntil } from "./wait-until.js";

/** Three NATS servers that store streams together. */
export interface NatsCluster {
  /** Names all three. */
  readonly url: string;
  readonly servers: readonly ServerProcess[];
  /** The server that leads a stream; null while none does. */
  readonly leaderOf: (stream: string) => Promise<ServerProcess | null>;
  /** Whether all three have every message of the stream's leader. */
  readonly isInStep: (stream: string) => Promise<boolean>;
  readonly stop: () => Promise<void>;
}

const Jetstream = z.object({
  meta_cluster: z.object({ leader: z.string().optional() }).optional(),
  account_details: z
    .array(
      z.object({
        stream_detail: z
          .array(
            z.object({
              name: z.string(),
              cluster: z.object({
                leader: z.string().optional(),
                replicas: z.array(z.object({ current: z.boolean(), offline: z.boolean().optional() })).default([]),
              }),
            }),
          )
          .default([]),
      }),
    )
    .default([]),
});

/** Starts them and resolves when they have a leader that makes streams. */
export async function startNatsCluster(): Promise<NatsCluster> {
  const names = ["one", "two", "three"];
  const nodes = await Promise.all(
    names.map(async (name) => ({
      name,
      port: await findFreePort(),
      clusterPort: await findFreePort(),
      monitoringPort: await findFreePort(),
    })),
  );
  const routes = nodes.map(({ clusterPort }) => `nats://127.0.0.1:${clusterPort}`);
  const servers = await Promise.all(
    nodes.map(({ name, port, clusterPort, monitoringPort }) =>
      startNatsServer({
        dataDir: freshFolder(`nats-${name}`),
        port,
        name,
        settings: [
          `http: 127.0.0.1:${monitoringPort}`,
          `cluster { name: parley, listen: 127.0.0.1:${clusterPort}, routes: ${JSON.stringify(routes)} }`,
        ],
      }),
    ),
  );
  const serverOf = (name: string | undefined) => servers[names.indexOf(name ?? "")] ?? null;
  const look = async (server: ServerProcess) => {
    const node = nodes[servers.indexOf(server)];
    const answer = await fetch(`http://127.0.0.1:${node?.monitoringPort}/jsz?streams=true`, {
      signal: AbortSignal.timeout(2_000),
    });
    return Jetstream.parse(await answer.json());
  };
  const streamAt = async (server: ServerProcess, stream: string) =>
    (await look(server)).account_details
      .flatMap(({ stream_detail }) => stream_detail)
      .find(({ name }) => name === stream)?.cluster;
  /** Only the leader itself knows for certain that it is. */
  const leaderOf = async (stream: string) => {
    for (const server of servers.filter((one) => one.running())) {
      if (serverOf((await streamAt(server, stream))?.leader) === server) return server;
    }
    return null;
  };
  for (const server of servers) {
    const hasLeader = async () => serverOf((await look(server)).meta_cluster?.leader) !== null;
    await waitUntil(hasLeader, { what: "the servers to choose a leader", timeoutMs: 30_000 });
  }
  return {
    url: servers.map(({ url }) => url).join(","),
    servers,
    leaderOf,
    isInStep: async (stream) => {
      const leader = await leaderOf(stream);
      const replicas = leader === null ? [] : ((await streamAt(leader, stream))?.replicas ?? []);
      return replicas.length === 2 && replicas.every(({ current, offline }) => current && offline !== true);
    },
    stop: async () => {
      await Promise.all(servers.map((server) => server.kill()));
    },
  };
}
