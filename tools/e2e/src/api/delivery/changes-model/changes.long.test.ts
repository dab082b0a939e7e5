import { clientEventNames, events } from "@parley/contracts";
import {
  connectGateway,
  createChannel,
  createClient,
  createRandom,
  createServer,
  joinServer,
  modelSteps,
  seed,
  startStack,
  type TestStack,
} from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { ModelClient, type ModelUser } from "./model-client.js";
import { type Actor, type Counts, compare, createPick, rejoin, runBatch, settle, type World } from "./model-world.js";

/** How many operations; more by the environment. Some 25 of them a second. */
const operationCount = Number(process.env.CHANGES_MODEL_OPERATIONS ?? modelSteps(900));
const batchMax = 8;

let stack: TestStack;
beforeAll(async () => {
  // Its own: the model stops gateways, and counts the events of the apis.
  stack = await startStack({ apis: 2, gateways: 2 });
});
afterAll(() => stack?.stop());

/** Four users and a bot in two servers, each with a client; the first has two. */
async function createWorld(random: () => number): Promise<World> {
  const pick = createPick(random);
  const [one = "", other = ""] = stack.apis.map(({ url }) => url);
  const anyGateway = () => pick(stack.gateways.filter((gateway) => gateway.running()))?.url ?? "";
  const root = createClient(one);
  const users = await Promise.all([root.register(), root.register(), root.register(), root.register()]);
  const [owner, second] = users;
  if (owner === undefined || second === undefined) throw new Error("Nobody is registered.");
  const created = (await owner.post("/bots", { name: "helper" })).expect(
    201,
    z.object({ token: z.string(), bot: z.object({ user_id: z.string() }) }),
  );
  const connected = await root.withAuthorization(`Bot ${created.token}`).post("/bots/connect");
  const botToken = connected.expect(200, z.object({ access_token: z.string() })).access_token;
  const people = [
    ...users.map(({ user, accessToken, password }, at) => ({
      name: `user ${at}`,
      userId: user.id,
      accessToken,
      password,
      hearsOfMembers: at !== 2,
    })),
    { name: "bot", userId: created.bot.user_id, accessToken: botToken, password: "", hearsOfMembers: true },
  ];
  const servers = [await createServer(owner, { is_public: true }), await createServer(second, { is_public: true })];
  for (const { id } of servers) await createChannel(id === servers[0]?.id ? owner : second, id);
  const actors = people.map(({ password, ...person }): Actor => {
    const apis = [one, other].map((url) => createClient(url, { authorization: `Bearer ${person.accessToken}` }));
    const user: ModelUser = { ...person, client: apis[1] ?? root };
    return { userId: person.userId, password, apis, model: new ModelClient(user, anyGateway) };
  });
  for (const { userId, apis } of actors) {
    for (const { id, owner_id } of servers) if (userId !== owner_id) await joinServer(apis[0] ?? root, id);
  }
  const [first] = actors;
  const twin = first === undefined ? [] : [new ModelClient({ ...first.model.user, name: "user 0 again" }, anyGateway)];
  const models = [...actors.map(({ model }) => model), ...twin];
  for (const model of models) model.start();
  return { stack, actors, models, serverIds: servers.map(({ id }) => id), random };
}

/** Cuts connections, lets clients stay away for a while, and kills gateways, one at a time. */
function createOutages({ models, random }: World) {
  const pick = createPick(random);
  let restarting: Promise<unknown> = Promise.resolve();
  return {
    async next(): Promise<void> {
      const choice = random();
      if (choice < 0.3) pick(models)?.cut();
      else if (choice < 0.4) pick(models)?.leave();
      else if (choice < 0.5) for (const model of models) model.comeBack();
      else if (choice < 0.55) {
        await restarting;
        const gateway = pick(stack.gateways);
        await gateway?.kill();
        restarting = gateway?.restart() ?? restarting;
      }
    },
    /** Resolves when every gateway runs. */
    restarted: () => restarting,
    async end(): Promise<void> {
      for (const model of models) model.comeBack();
      await restarting;
    },
  };
}

test(
  `lists that are read after READY and follow events equal a fresh read, with seed ${seed}`,
  async () => {
    const random = createRandom(seed);
    const world = await createWorld(random);
    const ofVersion1 = connectGateway(stack.edgeUrl, world.actors[3]?.model.user.accessToken ?? "");
    await ofVersion1.ready;
    const outages = createOutages(world);
    const counts: Counts = new Map();
    let [done, batches] = [0, 0];
    let last: string[] = [];
    const note = () => `seed ${seed}, after ${done} operations, the last ones ${last.join(", ")}`;
    try {
      await settle(world);
      while (done < operationCount) {
        const running = runBatch(world, 1 + Math.floor(random() * batchMax), counts);
        await outages.next();
        last = await running;
        done += last.length;
        batches += 1;
        await settle(world);
        if (batches % 5 === 0) {
          await rejoin(world);
          await settle(world);
        }
        if (batches % 20 !== 0) continue;
        await outages.restarted();
        await compare(world);
      }
      await outages.end();
      await settle(world);
      await compare(world);
      const resumed = world.models.reduce((sum, model) => sum + model.resumed, 0);
      const readies = world.models.reduce((sum, model) => sum + model.readies, 0);
      process.stdout.write(
        `model of changes: seed ${seed}, ${done} operations, ${resumed} continued, ${readies} read anew\n`,
      );
      if (process.env.CHANGES_MODEL_COUNTS) process.stdout.write(`${JSON.stringify(Object.fromEntries(counts))}\n`);
      expect(resumed).toBeGreaterThan(0);
      const names = new Set(ofVersion1.events.map(({ name }) => name));
      expect(clientEventNames.filter((name) => "version" in events[name] && names.has(name))).toEqual([]);
    } catch (error) {
      throw new Error(`Failed with ${note()}:\n${String(error)}`, { cause: error });
    } finally {
      ofVersion1.terminate();
      await outages.end();
      for (const model of world.models) await model.stop();
    }
  },
  120_000 + 200 * operationCount,
);
