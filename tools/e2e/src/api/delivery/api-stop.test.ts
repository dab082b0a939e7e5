import { Message } from "@parley/contracts";
import {
  type Answer,
  createClient,
  createServerWithMembers,
  useMortalStack,
  waitingForLocks,
  waitUntil,
} from "@parley/testing";
import { expect, onTestFinished, test } from "vitest";
import { connectTo, turnOf } from "../stages/lock-stage.js";

const mortal = useMortalStack();

test("an api that stops in order ends the request that it has, which the edge answers, and later ones go to the other api", async () => {
  const { stack } = mortal;
  const client = createClient(stack.edgeUrl);
  const [held, free] = [await createServerWithMembers(client, 0), await createServerWithMembers(client, 0)];
  const database = await connectTo(stack);
  onTestFinished(() => database.end());
  const post = ({ owner, channel }: typeof held, content: string) =>
    owner.post(`/channels/${channel.id}/messages`, { content });

  await database.query("BEGIN");
  const { sql, values } = turnOf(held.channel.id);
  await database.query(sql, [...values]);
  // The edge gives one to each api.
  const answers: Promise<Answer>[] = [];
  for (const content of ["one", "two"]) {
    answers.push(post(held, content));
    const count = answers.length;
    await waitUntil(async () => (await waitingForLocks(database)) === count, { what: "the request to wait" });
  }
  const [api] = stack.apis;
  const stopped = api?.stop();
  const refuses = () =>
    fetch(`${api?.url}/health/live`).then(
      () => false,
      () => true,
    );
  await waitUntil(refuses, { what: "the api to take no more connections" });
  for (const content of ["three", "four"]) expect((await post(free, content)).status).toBe(201);
  expect(api?.running()).toBe(true);
  await database.query("COMMIT");
  await database.query("SELECT outbox_leave('{}')");
  for (const answer of await Promise.all(answers)) answer.expect(201, Message);
  await stopped;
  expect(await api?.exited()).toEqual({ code: 0, signal: null });
  await api?.restart();
});
