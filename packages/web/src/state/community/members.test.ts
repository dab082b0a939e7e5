import { createClient, type Member } from "@parley/client";
import { expect, test } from "vitest";
import { begun, member, ready } from "../app/sample-state.js";
import { createAppStore } from "../store/app-store.js";
import { onReady } from "../store/ready.js";
import { createMembers } from "./members.js";

/**
 * Members of a server, read from `server.people` at that time; the first answer comes when the test releases it. While
 * `server.isDown`, requests get 503 and are not repeated.
 */
function reading(people: Member[]) {
  const store = createAppStore();
  store.setState(begun);
  const asked: string[] = [];
  const server = { people, asked, isDown: false, onAsked: () => {} };
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const client = createClient({
    baseUrl: "http://parley.test",
    retries: 0,
    tokens: { accessToken: "access", refreshToken: "refresh" },
    fetch: async (input) => {
      const { pathname, searchParams } = new URL(String(input));
      if (pathname.endsWith("/count")) return Response.json({ total: server.people.length, by_role: {} });
      const status = searchParams.get("status") ?? "all";
      const list = server.people.filter((each) => (each.status === "online") === (status === "online"));
      server.asked.push(status);
      if (server.asked.length === 1) await released;
      server.onAsked();
      return server.isDown ? Response.json({ error: "Service unavailable" }, { status: 503 }) : Response.json(list);
    },
  });
  return { store, server, release, members: createMembers(client, store) };
}

const idsOf = (store: ReturnType<typeof createAppStore>) => Object.keys(store.getState().members.server ?? {});

test("members are read again when a connection begins while a page of them is read", async () => {
  const { store, server, release, members } = reading([member("ben")]);
  const opening = members.open("server");
  await expect.poll(() => server.asked).toEqual(["online"]);
  server.people = [{ ...member("ben"), nickname: "Benny" }];
  store.begin((state) => onReady(state, ready));
  release();
  await opening;
  expect(store.getState().members.server?.ben?.nickname).toBe("Benny");
});

test("a list that is opened again is not read again, and goes on where its reading ended", async () => {
  const { server, release, members, store } = reading(Array.from({ length: 200 }, (_, n) => member(`u${n}`)));
  const first = members.open("server");
  const second = members.open("server");
  release();
  await Promise.all([first, second]);
  await members.open("server");
  expect(server.asked).toEqual(["online"]);
  server.people.push({ ...member("zoe"), status: "offline" });
  await members.more("server");
  expect(idsOf(store)).toContain("zoe");
});

test("a list that is scrolled while its first page is read, and a connection begins, is read again once", async () => {
  const { store, server, release, members } = reading([member("ben")]);
  const opening = members.open("server");
  const scrolling = [members.more("server"), members.more("server")];
  await expect.poll(() => server.asked).toEqual(["online"]);
  store.begin((state) => onReady(state, ready));
  release();
  await Promise.all([opening, ...scrolling]);
  expect(server.asked).toEqual(["online", "offline", "online", "offline"]);
});

test("a list with a page that could not be read goes on with the next request for more", async () => {
  const { store, server, release, members } = reading([member("ben")]);
  release();
  server.isDown = true;
  await expect(members.open("server")).rejects.toThrow("Service unavailable");
  server.isDown = false;
  await members.more("server");
  expect(idsOf(store)).toEqual(["ben"]);
});

test("a member who comes online between the pages of online members and of the others is listed, too", async () => {
  const { server, release, members, store } = reading([member("ben"), { ...member("zoe"), status: "offline" }]);
  const opening = members.open("server");
  await expect.poll(() => server.asked).toEqual(["online"]);
  server.onAsked = () => {
    server.people = [member("ben"), member("zoe")];
  };
  release();
  await opening;
  expect(idsOf(store)).toEqual(["ben", "zoe"]);
  expect(server.asked).toEqual(["online", "offline", "online"]);
});
