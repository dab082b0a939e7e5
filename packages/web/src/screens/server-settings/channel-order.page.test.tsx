import type { Channel } from "@parley/client";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { refuse } from "../../page-stage/fake-server.js";
import { channel } from "../../page-stage/fixtures.js";
import { focused } from "../../page-stage/keys.js";
import { drag } from "../../page-stage/mouse.js";
import { shown } from "../../page-stage/seeing.js";
import { openSettings, type Settings } from "../../page-stage/settings.js";

const handle = (name: string) => page.getByRole("button", { name: `Move ${name}`, exact: true });
const announced = (text: string) => page.getByCss("[aria-live]").filter({ hasText: text });

/** Waits until the handles of the rows stand in this order. */
async function inOrder(names: readonly string[]): Promise<void> {
  const handles = page.getByRole("main").getByRole("list", { name: "Channels", exact: true });
  await expect
    .poll(() =>
      handles
        .getByRole("button", { name: /^Move / })
        .elements()
        .map((element) => element.getAttribute("aria-label")?.slice("Move ".length)),
    )
    .toEqual(names);
}

/** The channels of a club, in three places. */
const openClub = () =>
  openSettings("channels", (_server, { server: there, channels }) => {
    const rest = [
      ["openings", "Play"],
      ["endgames", "Play"],
      ["bar", "Rooms"],
    ] as const;
    for (const [index, [name, category]] of rest.entries())
      channels.push(channel(there, name, { category, position: index + 1 }));
  });

/** Makes the server accept each change of a channel, and send its event. */
function takeChanges({ server, club, socket }: Settings): void {
  server.on<Partial<Channel>>("PATCH /channels/:id", ({ params: { id }, body }) => {
    const changed = club.channels.find((one) => one.id === id);
    if (changed === undefined) return refuse(404, "Channel not found");
    Object.assign(changed, body);
    socket.event("CHANNEL_UPDATE", { ...changed });
    return changed;
  });
}

test("channels and categories are dragged with the mouse, and the list of channels follows", async () => {
  const settings = await openClub();
  takeChanges(settings);
  await inOrder(["general", "Play", "openings", "endgames", "Rooms", "bar"]);
  const dropOver = (name: string) => page.getByCss("[data-drop]").filter({ has: handle(name) });
  await drag(handle("bar"), handle("openings"), dropOver("openings"));
  await inOrder(["general", "Play", "bar", "openings", "endgames"]);
  await expect.poll(() => settings.server.requests("PATCH /channels/:id").length).toBeGreaterThan(0);
  await settings.settled();
  await drag(handle("bar"), handle("Play"), dropOver("Play"));
  await inOrder(["general", "bar", "Play", "openings", "endgames"]);
  await settings.settled();
  await userEvent.keyboard("{Escape}");
  const links = page.getByRole("navigation", { name: "Channels" }).getByRole("link");
  const names = () => links.elements().map(({ textContent }) => textContent);
  await expect.poll(names).toEqual(["general", "bar", "openings", "endgames"]);
});

test("a channel is taken, moved, put back and dropped by keyboard, and each step is announced", async () => {
  const settings = await openClub();
  const { server, club } = settings;
  const before = ["general", "Play", "openings", "endgames", "Rooms", "bar"];
  await inOrder(before);
  await shown(handle("endgames"));
  handle("endgames").element().focus();
  await userEvent.keyboard(" ");
  await expect.element(announced("Picked up endgames, number 4 of 6.")).toBeInTheDocument();
  await userEvent.keyboard("{ArrowUp}");
  await expect.element(announced("endgames is now number 3 of 6.")).toBeInTheDocument();
  await userEvent.keyboard("{Escape}");
  await expect.element(announced("Cancelled. endgames is back where it was.")).toBeInTheDocument();
  await inOrder(before);
  await focused(handle("endgames"));
  expect(server.requests("PATCH /channels/:id")).toEqual([]);

  /** Moves the channel up by one, each key after the announcement of the one before it. */
  const moveUp = async () => {
    handle("endgames").element().focus();
    await userEvent.keyboard(" ");
    await expect.element(announced("Picked up endgames")).toBeInTheDocument();
    await userEvent.keyboard("{ArrowUp}");
    await expect.element(announced("endgames is now number 3 of 6.")).toBeInTheDocument();
    await userEvent.keyboard(" ");
    await expect.element(announced("Dropped")).toBeInTheDocument();
  };
  // The server refuses the first move, which is undone and explained.
  server.on("PATCH /channels/:id", () => refuse(403, "You need the Manage Channels permission"));
  await moveUp();
  await shown(page.getByRole("alert").filter({ hasText: "You need the Manage Channels permission" }));
  await inOrder(before);
  const refused = server.requests("PATCH /channels/:id").length;
  expect(refused).toBe(1);
  takeChanges(settings);
  await moveUp();
  await inOrder(["general", "Play", "endgames", "openings", "Rooms", "bar"]);
  const stored = () => club.channels.toSorted((a, b) => a.position - b.position).map(({ name }) => name);
  await expect.poll(stored).toEqual(["general", "endgames", "openings", "bar"]);
});
