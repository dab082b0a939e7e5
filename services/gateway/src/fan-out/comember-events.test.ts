import { createEvent, type EventPayload } from "@parley/contracts";
import { waitUntil } from "@parley/testing";
import { expect, test } from "vitest";
import { openRecorded } from "../connection/recorded-connection-fixture.js";
import { createWriteSchedulers } from "../connection/write-scheduler.js";
import { comemberSendsBurst } from "../limits.js";
import { ComemberEvents } from "./comember-events.js";
import { createLocalHub, receivedLive } from "./hub-fixture.js";

const serverId = "server";
const connected = 200;
/** Far more changes than may be sent at once: the last of them wait, however slow the machine, and those after them. */
const early = (3 * comemberSendsBurst) / connected;

/** A node with members of one server who get the presence of all others, and count their writes. */
async function createNode() {
  const { hub } = createLocalHub(serverId, [], { rules: null, members: new Map(), isLarge: false });
  const writeSchedulers = createWriteSchedulers();
  const writes = Array.from({ length: connected }, (): string[][] => []);
  for (const [n, ofOne] of writes.entries()) {
    await hub.add(openRecorded(`reader ${n}`, writeSchedulers, (frames) => ofOne.push(frames)));
  }
  const comemberEvents = new ComemberEvents({ hub, presenceWrites: writeSchedulers.lowPriority });
  return {
    writes,
    change(userId: string, customStatus: string, serverIds = [serverId]) {
      const payload: EventPayload<"PRESENCE_UPDATE"> = {
        user_id: userId,
        status: "online",
        custom_status: customStatus,
        activity: null,
      };
      comemberEvents.dispatch(
        userId,
        receivedLive(
          createEvent("PRESENCE_UPDATE", { user_id: userId, server_ids: serverIds }, payload),
          serverIds.join(),
        ),
      );
    },
  };
}

test("co-members get the changes that waited together in one write, however many turns of the event loop that takes", async () => {
  const { writes, change } = await createNode();
  const changed = 2_000;
  const framesOf = (ofOne: string[][]) => ofOne.reduce((sum, frames) => sum + frames.length, 0);
  for (let n = 0; n < early; n += 1) change(`early ${n}`, "");
  for (const status of ["outdated", "latest"]) {
    for (let n = 0; n < changed; n += 1) change(`late ${n}`, status);
  }
  await waitUntil(() => writes.every((ofOne) => framesOf(ofOne) === early + changed));
  expect(writes.map((ofOne) => ofOne.length)).toEqual(writes.map(() => 2));
  expect(writes.flat(2).filter((text) => text.includes("outdated"))).toEqual([]);
});

test("co-members hear of the last of one user's changes to different servers, and nobody of their own", async () => {
  const { writes, change } = await createNode();
  for (let n = 0; n < early; n += 1) change(`early ${n}`, "");
  change("somebody", "first");
  change("reader 0", "outdated", [serverId, "other"]);
  change("reader 0", "latest");
  change("reader 1", "last");
  const late = ["somebody", "reader 0", "reader 1"];
  await waitUntil(() => writes.every((ofOne) => ofOne.length === 2));
  for (const [n, ofOne] of writes.entries()) {
    const told = ofOne[1]?.map((text) => JSON.parse(text).d).filter(({ user_id }) => late.includes(user_id)) ?? [];
    expect(told.map(({ user_id }) => user_id)).toEqual(late.filter((userId) => userId !== `reader ${n}`));
    expect(told.find(({ user_id }) => user_id === "reader 0")?.custom_status).toBe(n === 0 ? undefined : "latest");
  }
});
