import { type PresenceStatus, presenceStatuses } from "@parley/contracts";
import { modelSteps } from "@parley/testing";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPresenceStatuses } from "./presence.js";
import { Model, type ModelConnection, type Slot } from "./presence-model-fixture.js";
import { type PresenceWorld, startPresenceWorld } from "./presence-world-fixture.js";

let world: PresenceWorld;
beforeAll(async () => {
  world = await startPresenceWorld();
});
afterAll(() => world.stop());

const userCount = 2;

type Step = { name: string; run: (model: Model) => Promise<void> };
const anySlot = fc.nat(1);
const anyUser = fc.nat(userCount - 1);
const at = <Item>(items: readonly Item[], index: number): Item => {
  const item = items[index];
  if (item === undefined) throw new Error("no such item");
  return item;
};
/** A step of one slot, skipped while its process is paused. */
const ofSlot = (model: Model, index: number): Slot | null => {
  const slot = at(model.slots, index);
  return slot.paused ? null : slot;
};
const crash = (model: Model, slot: Slot): void => {
  const grave = { ...slot };
  for (const connection of model.connections) if (connection.holder === slot) connection.holder = grave;
  model.dead.push(grave);
  slot.process = world.startGateway({ onOtherRedis: slot.name === "second" });
  slot.paused = false;
};
/** Removes a connection of the slot from the model and returns it. */
const pick = (model: Model, slot: Slot, index: number): ModelConnection | null => {
  const own = model.connections.filter(({ holder }) => holder === slot);
  return own.length === 0 ? null : at(own, index % own.length);
};

const connect = fc.tuple(anySlot, anyUser, fc.boolean()).map(
  ([slotIndex, userIndex, isNumbered]): Step => ({
    name: `connect user ${userIndex} to ${slotIndex}${isNumbered ? " by a numbered connection" : ""}`,
    run: async (model) => {
      const slot = ofSlot(model, slotIndex);
      if (slot === null) return;
      const user = at(model.users, userIndex);
      await slot.process.connect(user.id, model.add(user, slot, isNumbered), { isNumbered });
    },
  }),
);
const disconnect = fc.tuple(anySlot, fc.nat(9), fc.boolean()).map(
  ([slotIndex, index, isLost]): Step => ({
    name: `${isLost ? "lose" : "disconnect"} ${index} of ${slotIndex}`,
    run: async (model) => {
      const slot = ofSlot(model, slotIndex);
      const connection = slot === null ? null : pick(model, slot, index);
      if (slot === null || connection === null) return;
      await slot.process.disconnect(connection.user.id, connection.id, { isLost });
      model.drop([connection], isLost ? "lost" : "left");
      model.connections = model.connections.filter((other) => other !== connection);
    },
  }),
);
/** All graces expire; every living process ends them, all at once. */
const expireGraces = fc.constant<Step>({
  name: "graces end",
  run: async (model) => {
    const alive = model.slots.filter((slot) => !slot.paused);
    if (alive.length === 0) return;
    for (const { process } of alive) await process.node.renew();
    await world.passResumeGrace();
    await Promise.all(alive.map(({ process }) => process.maintenance.expireGraces()));
    model.expireGraces();
  },
});
const setStatus = fc.tuple(fc.nat(2), anyUser, fc.constantFrom(...presenceStatuses)).map(
  ([by, userIndex, status]): Step => ({
    name: `set user ${userIndex} to ${status} by ${by}`,
    run: async (model) => {
      const user = at(model.users, userIndex);
      const setter = by === 2 ? createPresenceStatuses(world.options()) : ofSlot(model, by)?.process;
      const seen = await setter?.setStatus(user.id, { status });
      if (seen !== undefined) model.says(user, seen?.status ?? "gone");
      if (seen !== undefined) expect(seen?.status).toBe<PresenceStatus>(status);
    },
  }),
);
const joinVoice = anyUser.map(
  (userIndex): Step => ({
    name: `user ${userIndex} joins voice`,
    run: async (model) => {
      const user = at(model.users, userIndex);
      await world.joinVoice(user.id);
      user.inVoice = true;
    },
  }),
);
const crashNow = anySlot.map(
  (slotIndex): Step => ({
    name: `crash ${slotIndex}`,
    run: async (model) => crash(model, at(model.slots, slotIndex)),
  }),
);
/** The process dies between Redis and PostgreSQL, and another process finds its traces. */
const crashHalfway = fc.tuple(anySlot, anyUser, fc.boolean(), fc.nat(9)).map(
  ([slotIndex, userIndex, connects, index]): Step => ({
    name: `crash ${slotIndex} half-way through ${connects ? "connecting" : "disconnecting"}`,
    run: async (model) => {
      const slot = ofSlot(model, slotIndex);
      const connection = slot === null || connects ? null : pick(model, slot, index);
      if (slot === null || (!connects && connection === null)) return;
      const { process } = slot;
      process.cutOffDatabase();
      if (connection === null) {
        const user = at(model.users, userIndex);
        await process.connect(user.id, model.add(user, slot));
      } else {
        await process.disconnect(connection.user.id, connection.id);
        model.drop([connection], "left");
        model.connections = model.connections.filter((other) => other !== connection);
      }
      crash(model, slot);
      await world.passGrace();
      await slot.process.maintenance.saveOverdue();
    },
  }),
);
const pause = anySlot.map(
  (slotIndex): Step => ({
    name: `pause ${slotIndex}`,
    run: async (model) => {
      at(model.slots, slotIndex).paused = true;
    },
  }),
);
const resume = async (model: Model, slot: Slot): Promise<void> => {
  slot.paused = false;
  await slot.process.node.renew();
  await slot.process.settled();
  model.comeBack(slot);
};
const resumeNow = anySlot.map(
  (slotIndex): Step => ({
    name: `resume ${slotIndex}`,
    run: (model) => resume(model, at(model.slots, slotIndex)),
  }),
);
/** Time passes: processes that do not renew are evicted by those that do, which all try at once. */
const expireLeases = fc.constant<Step>({
  name: "leases expire",
  run: async (model) => {
    const alive = model.slots.filter((slot) => !slot.paused);
    const silent = [...model.slots.filter((slot) => slot.paused), ...model.dead];
    if (alive.length === 0) return;
    for (const { process } of alive) await process.node.renew();
    await world.expire(silent.map(({ process }) => process));
    await Promise.all(alive.map(({ process }) => process.maintenance.expireLeases()));
    model.expireLeases(silent);
  },
});
const loseRedis = fc.constant<Step>({
  name: "Redis is emptied",
  run: async (model) => {
    const alive = model.slots.filter((slot) => !slot.paused);
    const [judge] = alive;
    if (judge === undefined) return;
    await world.redis.client.flushall();
    for (const user of model.users) user.inVoice = false;
    for (const { process } of alive) {
      await process.node.renew();
      await process.settled();
    }
    for (const slot of alive) model.comeBack(slot);
    await world.expire([]);
    await judge.process.maintenance.verify();
    model.forget([...model.slots.filter((slot) => slot.paused), ...model.dead]);
  },
});

async function compare(model: Model): Promise<void> {
  await world.hearAll();
  for (const user of model.users) {
    expect(await world.truthOf(user.id)).toEqual({ status: user.status, connected: model.counts(user) });
    expect(world.heardOf(user.id)).toEqual(user.heard);
    expect((await world.voice.channelOf(user.id)) !== null).toBe(user.inVoice);
  }
  expect(await world.redis.client.zcard("presence:unsaved")).toBe(0);
}

test("any sequence of connects, disconnects, crashes, pauses and status changes on two nodes ends as it ought to", async () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: connect },
    { weight: 4, arbitrary: disconnect },
    { weight: 2, arbitrary: expireGraces },
    { weight: 2, arbitrary: setStatus },
    { weight: 1, arbitrary: joinVoice },
    { weight: 1, arbitrary: crashNow },
    { weight: 1, arbitrary: crashHalfway },
    { weight: 1, arbitrary: pause },
    { weight: 2, arbitrary: resumeNow },
    { weight: 2, arbitrary: expireLeases },
    { weight: 1, arbitrary: loseRedis },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25, size: "max" }), async (steps) => {
      await world.redis.client.flushall();
      const users = await world.createUsers(userCount);
      const slots = ["first", "second"].map((name) => ({
        name,
        process: world.startGateway({ onOtherRedis: name === "second" }),
        paused: false,
      }));
      const model = new Model(
        users.map((id) => ({ id, status: "offline", inVoice: false, inGrace: false, heard: [] })),
        slots,
      );
      for (const { name, run } of steps) {
        await run(model);
        try {
          await compare(model);
        } catch (error) {
          throw new Error(`after "${name}"`, { cause: error });
        }
      }
    }),
    { numRuns: modelSteps(100), interruptAfterTimeLimit: 25_000, markInterruptAsFailure: false },
  );
});
