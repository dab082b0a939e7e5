import { ConnectQuery } from "@parley/contracts";
import { GatewayIntentBits } from "discord-api-types/v10";
import { expect, test } from "vitest";
import { translations } from "./translations.js";
import { eventsFor, mayChangeRows } from "./upstream-events.js";

const allIntents = 53_608_447;

test("a session that asks for servers gets no messages, but everything that may change what it remembers", () => {
  const events = eventsFor(GatewayIntentBits.Guilds);
  expect(events).toEqual(expect.arrayContaining(["INTERACTION_CREATE", "CHANNEL_UPDATE", "MEMBER_UPDATE"]));
  for (const name of ["MESSAGE_CREATE", "REACTION_ADD", "PRESENCE_UPDATE", "DM_MESSAGE_CREATE"]) {
    expect(events).not.toContain(name);
  }
  expect(Object.keys(translations).filter((name) => mayChangeRows(name) && !events.includes(name))).toEqual([]);
});

test.each([
  ["messages of servers", GatewayIntentBits.GuildMessages, "MESSAGE_CREATE", "DM_MESSAGE_CREATE"],
  ["direct messages", GatewayIntentBits.DirectMessages, "DM_MESSAGE_CREATE", "MESSAGE_CREATE"],
])("a session that asks for %s gets those alone", (_what, intents, gets, lacks) => {
  const events = eventsFor(intents);
  expect(events).toContain(gets);
  expect(events).not.toContain(lacks);
});

test("a session with every intent gets every event that becomes a dispatch, by names that gateways take", () => {
  const events = eventsFor(allIntents);
  expect(events.toSorted()).toEqual(Object.keys(translations).toSorted());
  expect(ConnectQuery.safeParse({ v: "2", events: events.join(",") }).success).toBe(true);
});
