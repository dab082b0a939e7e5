import { Clients, type Delivery } from "../clients/clients.js";
import { median, report, sendSteadily } from "../measure.js";
import { createPoster } from "../poster.js";
import { cpuSeconds, readMetrics } from "../processes.js";
import type { BenchStack } from "../stack.js";
import { createRoom } from "../world.js";
import { compressingDialect, gatewayDialect } from "./contestants.js";
import { deliveriesInWords, upTo } from "./rounds.js";
import type { GatewaySizes } from "./sizes.js";

export interface CompressionRun {
  isCompressed: boolean;
  delivery: Delivery;
  /** Of the gateway, for each frame. */
  bytes: number;
  cpuMs: number;
}

const authors = 20;
const words =
  "so what do we play tonight after the raid I would like something short because tomorrow is a long day and you".split(
    " ",
  );
/** Texts of different lengths, as people write them. */
const textOf = (n: number) =>
  Array.from({ length: 3 + (n % 17) }, (_, k) => words[(n * 7 + k * k) % words.length]).join(" ");

/** Messages by the api to one room, whose clients negotiate compression or not, in turns. */
export async function measureCompression(stack: BenchStack, sizes: GatewaySizes): Promise<CompressionRun[]> {
  const { sockets, perSecond, messages } = sizes.compression;
  const room = await createRoom(stack.pool, sockets);
  const api = await stack.start("api");
  const post = createPoster(api.url);
  const send = (n: number) => {
    const author = room.userIds[n % authors] ?? "";
    return post(`/channels/${room.channelId}/messages`, { content: textOf(n) }, stack.headers(author), "POST");
  };
  const runs: CompressionRun[] = [];
  for (let round = 0; round < sizes.rounds; round += 1)
    for (const isCompressed of [false, true]) {
      const gateway = await stack.start("gateway");
      const clients = new Clients(1);
      try {
        const dialect = isCompressed ? compressingDialect : gatewayDialect;
        const paths = room.userIds.map((userId) => stack.socketPath(userId, "&presence=none"));
        await clients.connect({ port: gateway.port, dialect }, paths);
        await clients.begin({ payloadBytes: "all" });
        const before = { cpu: await cpuSeconds(gateway.pid()), metrics: await readMetrics(gateway) };
        const sentAt = await sendSteadily({ perSecond, isDone: upTo(messages) }, send);
        const delivery = await clients.finish(sentAt);
        const metrics = await readMetrics(gateway);
        const spent = (name: string) => metrics(name) - before.metrics(name);
        const frames = spent("gateway_frames_sent_total");
        const cpuMs = (((await cpuSeconds(gateway.pid())) - before.cpu) * 1_000) / frames;
        runs.push({ isCompressed, delivery, bytes: spent("gateway_sent_bytes_total") / frames, cpuMs });
      } finally {
        await clients.stop();
        await gateway.stop();
      }
    }
  await api.stop();
  return runs;
}

export function reportCompression(runs: readonly CompressionRun[], { compression, rounds }: GatewaySizes): void {
  const { sockets, perSecond } = compression;
  report(`compression: ${perSecond} messages/s to ${sockets} sockets`);
  const value = (isCompressed: boolean, key: "bytes" | "cpuMs") =>
    median(runs.filter((run) => run.isCompressed === isCompressed).map((run) => run[key]));
  for (const isCompressed of [false, true]) {
    const deliveries = runs.filter((run) => run.isCompressed === isCompressed).map(({ delivery }) => delivery);
    report(
      `  ${isCompressed ? "compressed" : "plain     "}  ${value(isCompressed, "bytes").toFixed(0)} bytes and ${(value(isCompressed, "cpuMs") * 1_000).toFixed(1)} µs of the gateway's processor a frame  (median of ${rounds}; ${deliveriesInWords(deliveries)})`,
    );
  }
  const ratio = (key: "bytes" | "cpuMs") => value(true, key) / value(false, key);
  report(
    `  ratio       ${(100 * ratio("bytes")).toFixed(0)} % of the bytes  (goal: 35), ${ratio("cpuMs").toFixed(2)} times the processor time  (goal: 1.5)`,
  );
}
