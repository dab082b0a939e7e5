import { expect, test } from "vitest";
import { member } from "../../state/app/sample-state.js";
import { inListOrder, memberRows } from "./member-rows.js";

const joined = (name: string, day: number) => ({ ...member(name), joined_at: `2026-01-0${day}T00:00:00.000Z` });
const people = [joined("cleo", 1), joined("ada", 3), joined("ben", 2)];
const names = (total: number | undefined) => inListOrder(people, total).map(({ username }) => username);

test("a server that is read at once is in the order of names, a larger one in that in which it is read", () => {
  expect([names(undefined), names(200)]).toEqual([
    ["ada", "ben", "cleo"],
    ["ada", "ben", "cleo"],
  ]);
  expect(names(201)).toEqual(["cleo", "ben", "ada"]);
});

test("online members stand first, with the counts of all", () => {
  const presence = { ben: { status: "online" as const, custom_status: null, activity: null } };
  const rows = memberRows(inListOrder(people, 500), presence, [], { total: 500, online: 1 });
  expect(rows.map((row) => (row.kind === "title" ? row.text : row.member.username))).toEqual([
    "Online — 1",
    "ben",
    "Offline — 499",
    "cleo",
    "ada",
  ]);
});
