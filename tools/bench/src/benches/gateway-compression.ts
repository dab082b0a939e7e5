import { bench } from "../bench.js";
import { Clients } from "../clients/clients.js";
import { compressing, plain } from "../clients/connection.js";
import { deliver } from "../clients/deliver.js";
import { check, median, ratio, report, sendSteadily, upTo } from "../measure.js";
import { createPoster } from "../poster.js";
import { metricsOf } from "../processes.js";
import { withStack } from "../stack.js";
import { createRoom } from "../world.js";

const authors = 20;
const words =
  "so what do we play tonight after the raid I would like something short because tomorrow is a long day and you".split(
    " ",
  );
/** Texts of different lengths, as people write them. */
const textOf = (n: number) =>
  Array.from({ length: 3 + (n % 17) }, (_, k) => words[(n * 7 + k * k) % words.length]).join(" ");

/** Messages by the api to one room, whose clients negotiate compression or not, in turns. */
export default bench(
  {
    sizes: { rounds: 3, sockets: 1_000, perSecond: 50, messages: 500 },
    quick: { rounds: 1, sockets: 20, perSecond: 20, messages: 40 },
  },
  ({ rounds, sockets, perSecond, messages }) =>
    withStack({}, async (stack) => {
      const room = await createRoom(stack.pool, sockets);
      const post = createPoster((await stack.start("api")).url);
      const send = (n: number) => {
        const author = room.userIds[n % authors] ?? "";
        return post(`/channels/${room.channelId}/messages`, { content: textOf(n) }, stack.headers(author));
      };
      const paths = room.userIds.map((userId) => stack.socketPath(userId, "&presence=none"));
      const measure = async (dialect: typeof plain) => {
        const [gateway, clients] = [await stack.start("gateway"), new Clients(1)];
        await clients.connect([gateway], paths, { dialect });
        const before = await metricsOf(gateway);
        const { frameMicros } = await deliver(clients, [gateway], () =>
          sendSteadily({ perSecond, isDone: upTo(messages) }, send),
        );
        const after = await metricsOf(gateway);
        const spent = (name: string) => after(name) - before(name);
        await clients.stop();
        await gateway.stop();
        return { bytes: spent("gateway_sent_bytes_total") / spent("gateway_frames_sent_total"), frameMicros };
      };
      const runs = { plain: [] as Measured[], compressed: [] as Measured[] };
      type Measured = Awaited<ReturnType<typeof measure>>;
      for (let round = 0; round < rounds; round += 1) {
        runs.plain.push(await measure(plain));
        runs.compressed.push(await measure(compressing));
      }
      const value = (kind: keyof typeof runs, key: keyof Measured) => median(runs[kind].map((run) => run[key]));
      report(`${perSecond} messages/s to ${sockets} sockets, medians of ${rounds}`);
      for (const kind of ["plain", "compressed"] as const) {
        report(
          `  ${kind.padEnd(10)} ${value(kind, "bytes").toFixed(0)} bytes and ${value(kind, "frameMicros").toFixed(1)} µs of the gateway's processor a frame`,
        );
      }
      const share = value("compressed", "bytes") / value("plain", "bytes");
      check("compressed frames are shorter", share < 0.5, true);
      report(
        `  ratio      ${(100 * share).toFixed(0)} % of the bytes  (goal: 35), ${ratio(value("compressed", "frameMicros"), value("plain", "frameMicros"))} times the processor time  (goal: 1.5)`,
      );
    }),
);
