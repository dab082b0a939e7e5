import { once } from "node:events";
import { AuthResponse, Channel, Server } from "@parley/contracts";
import { WebSocket } from "ws";
import { median, type Run, report, runLanes } from "./measure.js";
import { createPoster } from "./poster.js";
import { cpuSeconds } from "./processes.js";
import { roundTrips } from "./round-trips.js";
import { statementsAtOnce, withStack } from "./stack.js";

const lanes = statementsAtOnce;
const durationMs = 5_000;
const rounds = 3;
const content = "The quick brown fox jumps over the lazy dog, and then it rests for a while. ".repeat(2);

/**
 * POST message on one api process at concurrency 16, events delivered to a socket, against bare prepared INSERTs into
 * the same table at the same concurrency, alternating in one run; and the round trips that a message costs.
 */
export function benchPostMessage(): Promise<void> {
  return withStack({}, async (stack) => {
    const [api, gateway] = [await stack.start("api"), await stack.start("gateway")];
    const post = createPoster(api.url);
    // Made by requests: in a room made by statements alone a hundredth of the messages takes 200 ms.
    const { access_token, user } = AuthResponse.parse(
      await post("/auth/register", { username: "bench", password: "benchmark" }),
    );
    const auth = { authorization: `Bearer ${access_token}` };
    const { id: serverId } = Server.parse(await post("/servers", { name: "bench" }, auth));
    const { id: channelId } = Channel.parse(await post(`/servers/${serverId}/channels`, { name: "bench" }, auth));
    let delivered = 0;
    const socket = new WebSocket(gateway.url.replace("http", "ws") + stack.socketPath(user.id));
    await once(socket, "message");
    socket.on("message", () => {
      delivered += 1;
    });

    const insert = () =>
      stack.pool.query({
        name: "bare",
        text: "INSERT INTO messages (channel_id, server_id, author_id, content) VALUES ($1, $2, $3, $4) RETURNING id",
        values: [channelId, serverId, user.id, content],
      });
    let sent = 0;
    const send = async () => {
      await post(`/channels/${channelId}/messages`, { content }, auth);
      sent += 1;
    };
    await runLanes({ lanes, durationMs: 2_000 }, send);
    await runLanes({ lanes, durationMs: 1_000 }, insert);

    const cpu = async () => ({ api: await cpuSeconds(api.pid()), gateway: await cpuSeconds(gateway.pid()) });
    const [before, sentBefore, cpuBefore] = [await roundTrips(stack), sent, await cpu()];
    const posts: Run[] = [];
    const inserts: Run[] = [];
    for (let round = 0; round < rounds; round += 1) {
      posts.push(await runLanes({ lanes, durationMs }, send));
      if (round === 0) {
        const after = await roundTrips(stack);
        const per = (key: keyof typeof after) => ((after[key] - before[key]) / (sent - sentBefore)).toFixed(2);
        report(
          `per message    ${per("statements")} SQL statements (batches shared), ${per("redisCommands")} Redis commands (a script and what it runs), 1 NATS publish with ack`,
        );
      }
      inserts.push(await runLanes({ lanes, durationMs }, insert));
    }
    while (delivered < sent) await once(socket, "message");
    const cpuAfter = await cpu();
    const micros = (part: keyof typeof cpuAfter) =>
      (((cpuAfter[part] - cpuBefore[part]) / (sent - sentBefore)) * 1e6).toFixed(0);
    report(`processor time ${micros("api")} µs a message in the api, ${micros("gateway")} µs in the gateway`);
    const value = (runs: readonly Run[], key: keyof Run) => median(runs.map((run) => run[key]));
    const rate = value(posts, "perSecond");
    const bare = value(inserts, "perSecond");
    report(
      `POST message   ${rate.toFixed(0)}/s  p50 ${value(posts, "p50").toFixed(2)} ms  p99 ${value(posts, "p99").toFixed(2)} ms  (median of ${rounds}, concurrency ${lanes}, ${delivered} of ${sent} events delivered)`,
    );
    report(`bare INSERT    ${bare.toFixed(0)}/s  p50 ${value(inserts, "p50").toFixed(2)} ms`);
    report(`ratio          ${(rate / bare).toFixed(2)}  (goal: 0.45, and 300 µs in the api)`);
    socket.terminate();
  });
}
