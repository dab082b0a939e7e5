import { postMessage, startStack, waitUntil } from "@parley/testing";
import { expect, test } from "vitest";
import { runSql } from "../stages/admin-stage.js";
import { Begun, createAppStage, use } from "../stages/app-stage.js";
import { identify } from "./discord-socket.js";

/** Keeps it from failing on a slow machine: no dead gateway's interaction goes to another one after its time. */
const dueLater = `UPDATE interactions SET due_at = now() + interval '2.5 seconds' WHERE id = $1 AND state = 'pending'
  RETURNING cardinality(connections) AS times`;

test("an interaction that another gateway gives again after the first one's death comes no second time", async () => {
  // Its own: a gateway is killed, which has no connection but the bot's.
  const stack = await startStack({ apis: 1, gateways: 2, discords: 1 });
  try {
    const stage = await createAppStage(stack.edgeUrl, [{ name: "play", description: "Play" }]);
    const bot = await identify(stack.edgeUrl, stage.bot.token);
    const asked = await stage.member.post(`/channels/${stage.channelId}/interactions`, use(stage, "play"));
    const { id: interactionId } = asked.expect(202, Begun);
    const { id, token } = await bot.waitFor<{ id: string; token: string }>("INTERACTION_CREATE");
    const hasConnection = await Promise.all(
      stack.gateways.map(async ({ url }) =>
        /^gateway_connections\S* [1-9]/m.test(await (await fetch(`${url}/metrics`)).text()),
      ),
    );
    await stack.gateways[hasConnection.indexOf(true)]?.kill();
    const isGivenAgain = async () => {
      const [row] = await runSql(stack.databaseUrl, dueLater, [interactionId]);
      return (row as { times: number } | undefined)?.times === 2;
    };
    await waitUntil(isGivenAgain, { timeoutMs: 30_000, what: "the other gateway" });
    await postMessage(stage.member, stage.channelId, "after");
    await bot.waitFor("MESSAGE_CREATE", ({ content }) => content === "after");
    const body = JSON.stringify({ type: 4, data: { content: "Still here" } });
    const url = `${stack.edgeUrl}/discord/api/v10/interactions/${id}/${token}/callback`;
    expect((await fetch(url, { method: "POST", body })).status).toBe(204);
    await bot.waitFor("MESSAGE_CREATE", ({ content }) => content === "Still here");
    expect(bot.names().filter((name) => name === "INTERACTION_CREATE")).toHaveLength(1);
    await bot.close();
  } finally {
    await stack.stop();
  }
});
