import { bench } from "../bench.js";
import { Clients } from "../clients/clients.js";
import { silent } from "../clients/connection.js";
import { type Delivered, deliver } from "../clients/deliver.js";
import type { FloorFunctions } from "../floor-server.js";
import { median, percentilesInWords, ratio, report, upTo } from "../measure.js";
import { startProgram } from "../program.js";
import { startPublisher } from "../publisher.js";
import { withStack } from "../stack.js";
import { createRoom } from "../world.js";

const sizes = {
  rounds: 3,
  sockets: 1_000,
  /** Events at the low rate; each is a write of its own. */
  singleEvents: 100,
  events: 5_000,
  /** More than the gateway can pass on. */
  ceilingEvents: 10_000,
  /** Bare `ws` is slower; its rate does not depend on their number. */
  floorEvents: 500,
};
const quick = { rounds: 1, sockets: 50, singleEvents: 10, events: 100, ceilingEvents: 200, floorEvents: 20 };
const [single, common, ceiling] = [20, 1_000, 2_000];

/** Events of one channel to many sockets of a gateway, at three rates, and the same frames written by bare `ws`. */
export default bench({ sizes, quick }, ({ rounds, sockets, ...counts }) =>
  withStack({}, async (stack) => {
    const room = await createRoom(stack.pool, sockets);
    const publisher = await startPublisher(stack.servers.nats.url);
    const payloadBytes = Buffer.byteLength(publisher.body);
    const runs: (Delivered & { name: string })[] = [];

    const measureGateway = async () => {
      const [gateway, clients] = [await stack.start("gateway"), new Clients(2)];
      const paths = room.userIds.map((userId) => stack.socketPath(userId));
      await clients.connect([gateway], paths);
      for (const [perSecond, events] of [
        [single, counts.singleEvents],
        [common, counts.events],
        [ceiling, counts.ceilingEvents],
      ] as const) {
        const send = () => publisher.publish(room, { perSecond, isDone: upTo(events) });
        const timed = perSecond === single;
        runs.push({
          name: `gateway ${perSecond}`,
          ...(await deliver(clients, [gateway], send, { payloadBytes, timed })),
        });
      }
      await clients.stop();
      await gateway.stop();
    };
    const measureFloor = async () => {
      const [floor, clients] = [startProgram<FloorFunctions>("floor-server"), new Clients(2)];
      const paths = Array.from({ length: sockets }, () => "/");
      await clients.connect([{ port: await floor.call("silent") }], paths, { dialect: silent });
      for (const [perSecond, events] of [
        [single, counts.singleEvents],
        [common, counts.floorEvents],
      ] as const) {
        const send = () => floor.call("write", payloadBytes, perSecond, events);
        const timed = perSecond === single;
        const pid = () => floor.pid;
        runs.push({
          name: `bare ws ${perSecond}`,
          ...(await deliver(clients, [{ pid }], send, { payloadBytes, timed })),
        });
      }
      await clients.stop();
      await floor.stop();
    };
    for (let round = 0; round < rounds; round += 1) {
      await measureGateway();
      await measureFloor();
    }
    await publisher.close();
    reportRuns(runs, payloadBytes, sockets);
  }),
);

function reportRuns(runs: readonly (Delivered & { name: string })[], payloadBytes: number, sockets: number): void {
  report(`${sockets} sockets, ${payloadBytes} bytes, events/s offered; medians`);
  const value = (wanted: string, read: (run: Delivered) => number) =>
    median(runs.filter(({ name }) => name === wanted).map(read));
  const rate = (name: string) => value(name, ({ counted, seconds }) => counted / seconds);
  const micros = (name: string) => value(name, ({ frameMicros }) => frameMicros);
  for (const name of new Set(runs.map((run) => run.name))) {
    const timed = runs.find((run) => run.name === name && run.delaysMs.length > 0);
    const times = timed === undefined ? "" : `, a write each: ${percentilesInWords(timed.delaysMs)}`;
    report(
      `  ${name.padEnd(13)} ${rate(name).toFixed(0)} frames/s, ${micros(name).toFixed(2)} µs of processor a frame${times}`,
    );
  }
  for (const offered of [common, ceiling]) {
    const [gateway, floor] = [`gateway ${offered}`, `bare ws ${common}`];
    report(
      `  ${gateway} / ${floor}: ${ratio(rate(gateway), rate(floor), 1)} times the frames/s  (goal: 8), a frame takes ${ratio(micros(floor), micros(gateway), 1)} times less`,
    );
  }
}
