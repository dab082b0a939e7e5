import { createClient, type Member } from "@parley/client";
import { expect, test } from "vitest";
import { createMembers } from "./members.js";
import { createPageStore } from "./page-store.js";
import { onReady } from "./ready.js";
import { begun, member, ready } from "./sample-state.js";

/** Members of a server, read from what `server.people` is at that time; the first answer comes when it is released. */
function reading(people: Member[]) {
  const store = createPageStore();
  store.setState(begun);
  const server = { people, requests: 0 };
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const client = createClient({
    baseUrl: "http://parley.test",
    tokens: { accessToken: "access", refreshToken: "refresh" },
    fetch: async (input) => {
      const { pathname, searchParams } = new URL(String(input));
      if (pathname.endsWith("/count")) return Response.json({ total: server.people.length, by_role: {} });
      const isOnline = searchParams.get("status") === "online";
      const list = server.people.filter(({ status }) => (status === "online") === isOnline);
      server.requests += 1;
      if (server.requests === 1) await released;
      return Response.json(list);
    },
  });
  return { store, server, release, members: createMembers(client, store) };
}

const idsOf = (store: ReturnType<typeof createPageStore>) => Object.keys(store.getState().members.server ?? {});

test("members are read again when a connection begins while a page of them is read", async () => {
  const { store, server, release, members } = reading([member("ben")]);
  const opening = members.open("server");
  await expect.poll(() => server.requests).toBe(1);
  server.people = [{ ...member("ben"), nickname: "Benny" }];
  store.begin((state) => onReady(state, ready));
  release();
  await opening;
  expect(store.getState().members.server?.ben?.nickname).toBe("Benny");
});

test("a list that is opened again goes on after the end of the first reading", async () => {
  const { store, server, release, members } = reading([]);
  const first = members.open("server");
  await expect.poll(() => server.requests).toBe(1);
  server.people = Array.from({ length: 200 }, (_, n) => member(`u${n}`));
  await members.open("server");
  release();
  await first;
  server.people.push({ ...member("zoe"), status: "offline" });
  await members.more("server");
  expect(idsOf(store)).toContain("zoe");
});
