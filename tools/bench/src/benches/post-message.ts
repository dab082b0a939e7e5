import { once } from "node:events";
import { AuthResponse, Channel, Server } from "@parley/contracts";
import { WebSocket } from "ws";
import { alternate, alternateQuick, alternateSizes } from "../alternate.js";
import { bench } from "../bench.js";
import { report } from "../measure.js";
import { createPoster } from "../poster.js";
import { cpuSeconds } from "../processes.js";
import { withStack } from "../stack.js";

const content = "The quick brown fox jumps over the lazy dog, and then it rests for a while. ".repeat(2);

/** POST message, events delivered to a socket, against bare prepared INSERTs into the same table. */
export default bench({ sizes: alternateSizes, quick: alternateQuick }, (sizes) =>
  withStack({}, async (stack) => {
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
    let sent = 0;
    const pair = {
      name: "POST message",
      request: async () => {
        await post(`/channels/${channelId}/messages`, { content }, auth);
        sent += 1;
      },
      statement: () =>
        stack.pool.query({
          name: "bare",
          text: "INSERT INTO messages (channel_id, server_id, author_id, content) VALUES ($1, $2, $3, $4) RETURNING id",
          values: [channelId, serverId, user.id, content],
        }),
      goal: "0.45, and 300 µs in the api",
    };
    const cpuBefore = await cpuSeconds(gateway.pid());
    await alternate(stack, api, pair, sizes);
    while (delivered < sent) await once(socket, "message");
    const micros = (((await cpuSeconds(gateway.pid())) - cpuBefore) / sent) * 1e6;
    report(`  delivered       ${delivered} of ${sent} events, ${micros.toFixed(0)} µs of the gateway's processor each`);
    socket.terminate();
  }),
);
