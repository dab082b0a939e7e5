import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { messageWith } from "../../../page-stage/conversation.js";
import { channelPath, community, message, user } from "../../../page-stage/fixtures.js";
import { shown } from "../../../page-stage/seeing.js";
import { tokenOf, visit } from "../../../page-stage/stage.js";
import { readyOf, world } from "../../../page-stage/world.js";

// The browser's copy of the data that the user saw. Without a network, and after a logout:
// tools/e2e/src/web/offline.test.ts.

/** The whole copy in the browser. */
async function kept(): Promise<string> {
  // Opened before the page, it would be made here, without its stores.
  if (!(await indexedDB.databases()).some(({ name }) => name === "parley.seen")) return "";
  const settled = <Value,>(request: IDBRequest<Value>) =>
    new Promise<Value>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const database = await settled(indexedDB.open("parley.seen"));
  const stores = [...database.objectStoreNames];
  const all = stores.map((name) => settled(database.transaction(name).objectStore(name).getAll()));
  const values = await Promise.all(all);
  database.close();
  return JSON.stringify(values.flat());
}

test("while a connection is awaited the page shows what was seen last, and then what came meanwhile", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  club.messages[general.id] = [message(general, ben, "Seen before")];
  const there = world(ada, [club]);
  let isAwaited = false;
  const stage = await visit(there, {
    path: channelPath(general),
    onConnection(connection) {
      if (!isAwaited) connection.event("READY", readyOf(there));
    },
  });
  await shown(messageWith("Seen before"));
  await expect.poll(kept).toContain("Seen before");
  isAwaited = true;
  const before = stage.connections;
  const answer = stage.server.hold("GET /channels/:id/messages", () => [
    message(general, ben, "Not seen yet"),
    ...(club.messages[general.id] ?? []),
  ]);
  await stage.reload();
  await shown(messageWith("Seen before").getByText(ben.username).first());
  await expect.poll(() => stage.connections).toBe(before + 1);
  await expect.poll(() => page.getByText(/^Connection lost/).elements()).toEqual([]);
  answer.release();
  stage.socket.event("READY", readyOf(there));
  await shown(messageWith("Not seen yet"));
});

test("nothing of an account is left once another one is logged in, also when no page saw the end of its session", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const [adas, bens] = [community([ada]), community([ben])];
  for (const [{ channels, messages }, author] of [
    [adas, ada],
    [bens, ben],
  ] as const)
    messages[channels[0].id] = [message(channels[0], author, `Only for ${author.username}`)];
  const there = world(ada, [adas]);
  const stage = await visit(there, { path: channelPath(adas.channels[0]) });
  await expect.poll(kept).toContain("Only for ada");
  Object.assign(there, world(ben, [bens]));
  localStorage.setItem("parley.tokens", JSON.stringify({ accessToken: tokenOf(there), refreshToken: "refresh" }));
  await stage.reload();
  stage.goTo(channelPath(bens.channels[0]));
  await expect.poll(kept).toContain("Only for ben");
  await expect.poll(kept).not.toContain("Only for ada");
});
