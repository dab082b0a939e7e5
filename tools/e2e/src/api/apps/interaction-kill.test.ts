import { InteractionState } from "@parley/contracts";
import { createClient, startNatsProxy, useMortalStack } from "@parley/testing";
import { expect, onTestFinished, test } from "vitest";
import { runSql } from "../stages/admin-stage.js";
import { Answered, answer, Begun, connectWith, createAppStage, use } from "../stages/app-stage.js";

const mortal = useMortalStack();

test("an interaction whose api is killed between its row and its notice reaches the bot once, and is answered", async () => {
  const { stack } = mortal;
  const stage = await createAppStage(stack.edgeUrl, [{ name: "play", description: "Begins" }]);
  const { member, channelId, bot } = stage;
  const connection = await connectWith(stack.gateways[0]?.url ?? "", `bot_token=${bot.token}`);
  onTestFinished(() => connection.close());
  const proxy = await startNatsProxy(stack.nats.url);
  onTestFinished(proxy.close);
  const api = await stack.startApi({ natsUrl: proxy.url });

  // The row is stored with the answer, and the notice goes no further than the proxy.
  proxy.hold(true);
  const through = createClient(api.url, { authorization: `Bearer ${member.accessToken}` });
  const begun = await through.post(`/channels/${channelId}/interactions`, use(stage, "play"));
  await stack.dismiss(api);
  proxy.cut();
  const { id } = begun.expect(202, Begun);

  const interaction = await connection.waitFor("INTERACTION_CREATE", (each) => each.id === id);
  // A minute for a slow machine: the test shows that the bot gets the interaction, not that it answers in time.
  await runSql(stack.databaseUrl, "UPDATE interactions SET due_at = now() + interval '1 minute' WHERE id = $1", [id]);
  const said = await answer(member, interaction, { type: "message", data: { content: "after all" } });
  said.expect(200, Answered);
  const state = (await member.get(`/interactions/${id}`)).expect(200, InteractionState);
  expect(state).toMatchObject({ state: "answered", message: { content: "after all" } });
  await connection.heartbeat();
  expect(connection.events.filter(({ name }) => name === "INTERACTION_CREATE")).toHaveLength(1);
});
