import { expect, test } from "vitest";
import { type CachedMember, CachedMembers, withAuthor } from "./cached-members.js";

const member = (user_id: string, changes: Partial<CachedMember> = {}): CachedMember => ({
  user_id,
  username: user_id,
  nickname: null,
  avatar_url: null,
  is_bot: false,
  joined_at: "2026-01-01T00:00:00.000Z",
  timeout_expires_at: null,
  role_ids: ["r"],
  ...changes,
});

test("of more members than fit those are dropped that were not seen or looked up the longest", () => {
  const members = new CachedMembers(2);
  members.set("s", member("ada"));
  members.set("s", member("ben"));
  members.get("s", "ada");
  // A change is no use.
  members.change("s", "ben", (known) => ({ ...known, nickname: "B" }));
  members.set("s", member("cleo"));
  expect(["ada", "ben", "cleo"].map((id) => members.get("s", id)?.user_id)).toEqual(["ada", undefined, "cleo"]);
  expect(members.size).toBe(2);
});

test("a change of all members, and the end of a server, concern that server only", () => {
  const members = new CachedMembers(10);
  for (const server of ["s", "t"]) members.set(server, member("ada"));
  members.changeAll("s", (known) => ({ ...known, nickname: "A" }));
  expect(members.get("s", "ada")?.nickname).toBe("A");
  expect(members.get("t", "ada")?.nickname).toBeNull();
  members.deleteServer("s");
  expect(members.get("s", "ada")).toBeNull();
  members.delete("t", "ada");
  expect(members.size).toBe(0);
});

test("an author brings new names to a known member, and leaves unknown what only whole members have", () => {
  const author = { id: "ada", username: "ada2", nickname: "A", avatar_url: null, is_bot: true as const };
  expect(withAuthor(member("ada"), author)).toEqual(member("ada", { username: "ada2", nickname: "A", is_bot: true }));
  expect(withAuthor(null, author)).toMatchObject({ username: "ada2", joined_at: null, role_ids: null });
});
