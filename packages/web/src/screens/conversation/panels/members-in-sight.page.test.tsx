import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { answer } from "../../../page-stage/fake-server.js";
import { channelPath, community, member, user } from "../../../page-stage/fixtures.js";
import { shown } from "../../../page-stage/seeing.js";
import { visit } from "../../../page-stage/stage.js";
import { world } from "../../../page-stage/world.js";

const crowdCount = 2_000;
/** More than a screen has. */
const inSightMax = 60;

test(`only those of ${crowdCount} members in sight are drawn, read and subscribed to`, async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  const crowd = Array.from({ length: crowdCount }, (_, n) => user(`crowd_${String(n + 1).padStart(4, "0")}`));
  club.members = [...club.members, ...crowd.map((one) => member(one))].map((one) => ({
    ...one,
    status: one.user_id === ada.id || one.user_id === ben.id ? "online" : "offline",
  }));
  const stage = await visit(world(ada, [club]), {
    path: channelPath(general),
    prepare: (server) =>
      server.on("GET /servers/:id/members", ({ query }) => {
        const [from, limit] = [Number(query.get("position") ?? 0), Number(query.get("limit"))];
        const all = club.members.filter(({ status }) => status === query.get("status"));
        const next = new URLSearchParams(query);
        next.set("position", String(from + limit));
        const link = `</api/servers/${club.server.id}/members?${next}>; rel="next"`;
        return answer(200, all.slice(from, from + limit), from + limit < all.length ? { link } : {});
      }),
  });
  const reads = () => stage.server.requests("GET /servers/:id/members").map(({ query }) => query.get("status"));
  const subscribed = () =>
    stage.socket.received
      .filter(({ op }) => op === "PRESENCE_SUBSCRIBE")
      .map(({ d }): { user_ids: string[] } => JSON.parse(JSON.stringify(d)))
      .map(({ user_ids }) => user_ids);
  const list = page.getByRole("complementary", { name: "Members" });
  const drawn = list.getByRole("button", { name: /crowd_/ });
  await shown(list.getByText("Offline — 2,000"));
  await shown(list.getByRole("button", { name: /crowd_0001/ }));
  await shown(list.getByRole("button", { name: /ben.*, online/ }));
  await stage.settled();
  await expect.poll(() => drawn.elements().length).toBeLessThan(inSightMax);
  expect(reads()).toEqual(["online", "offline"]);

  const last = crowd.at(-1);
  await expect
    .poll(
      async () => {
        await userEvent.wheel(list, { delta: { y: 8_000 } });
        return subscribed()
          .at(-1)
          ?.includes(last?.id ?? "");
      },
      { timeout: 45_000 },
    )
    .toBe(true);
  await shown(list.getByRole("button", { name: `crowd_${crowdCount}` }));
  await expect.poll(() => drawn.elements().length).toBeLessThan(inSightMax);
  // The members in sight, and the authors in the channel.
  for (const ids of subscribed()) expect(ids.length).toBeLessThan(inSightMax);
});
