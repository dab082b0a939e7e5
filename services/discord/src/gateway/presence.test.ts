import { expect, test } from "vitest";
import { toOwnPresence, toPresence } from "./presence.js";

test.each([
  ["idle", "away"],
  ["invisible", "offline"],
  ["dnd", "dnd"],
] as const)("%s is %s here", (status, own) => {
  expect(toOwnPresence({ status, activities: null }, { isFirst: true }).status).toBe(own);
});

test("a bot that identifies itself as offline is online until it says so again", () => {
  const said = { status: "offline", activities: null } as const;
  expect(toOwnPresence(said, { isFirst: true }).status).toBe("online");
  expect(toOwnPresence(said, { isFirst: false }).status).toBe("offline");
});

test("an activity and a status text go both ways", () => {
  const activities = [
    { name: "Custom Status", type: 4, state: "Back at noon" },
    { name: "Chess", type: 0, state: null },
  ];
  const own = toOwnPresence({ status: "online", activities }, { isFirst: false });
  expect(own).toEqual({ status: "online", custom_status: "Back at noon", activity: "Chess" });
  expect(toPresence(own).activities).toMatchObject([
    { type: 4, state: "Back at noon" },
    { type: 0, name: "Chess" },
  ]);
});
