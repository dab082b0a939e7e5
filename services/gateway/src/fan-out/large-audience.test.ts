import { createEvent } from "@parley/contracts";
import { expect, test } from "vitest";
import { openRecorded } from "../connection/recorded-connection-fixture.js";
import { createWriteSchedulers } from "../connection/write-scheduler.js";
import { ChannelViewRule } from "../hub/view-rules.js";
import { fewRecipientsMax } from "../limits.js";
import { createLocalHub, receivedLive } from "./hub-fixture.js";
import { ServerEvents } from "./server-events.js";

const serverId = "server";
const memberId = (n: number) => `user-${n}`;

/** A node with so many members of one server, and whether the events that they were sent gave way to others. */
async function createNode(members: number) {
  const channels = new Map([
    ["open", null],
    ["hidden", new ChannelViewRule(`rmember U${memberId(0)}`)],
  ]);
  const users = new Map(Array.from({ length: members }, (_, n) => [memberId(n), ["member"]]));
  const { hub } = createLocalHub(serverId, ["member"], {
    rules: {
      ownerId: "owner",
      administratorRoles: new Set(),
      viewingRoles: new Set(),
      everyone: { permissions: 0, rights: 0 },
      roleRights: new Map(),
      channels,
    },
    members: users,
    isLarge: false,
  });
  const writeSchedulers = createWriteSchedulers();
  for (const userId of users.keys()) await hub.add(openRecorded(userId, writeSchedulers, () => {}));
  const sent: number[] = [];
  const serverEvents = new ServerEvents({
    database: { query: () => Promise.resolve([]) },
    hub,
    gaps: { fill: () => Promise.resolve(true) },
    sender: { send: (_, { recipients }) => sent.push(recipients) },
    lowWatermark: () => 0,
  });
  return async (channel_id: string) => {
    sent.length = 0;
    const typing = { channel_id, user_id: memberId(0), username: "member", timestamp: new Date(0).toISOString() };
    const event = receivedLive(createEvent("TYPING_START", { server_id: serverId, channel_id }, typing));
    const server = hub.server(serverId);
    if (server === undefined) throw new Error("nobody is in the server");
    await serverEvents.dispatch(server, event);
    return sent.map((recipients) => recipients > fewRecipientsMax);
  };
}

test("the fan-out gives way to others when an event has many recipients, not when the server has many members", async () => {
  const send = await createNode(fewRecipientsMax + 1);
  expect(await send("open")).toEqual(Array.from({ length: fewRecipientsMax + 1 }, () => true));
  expect(await send("hidden")).toEqual([false]);
});

test("the fan-out gives way to nobody with few recipients", async () => {
  const send = await createNode(fewRecipientsMax);
  expect(await send("open")).toEqual(Array.from({ length: fewRecipientsMax }, () => false));
});
