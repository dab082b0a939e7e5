import type { DetailedMessage, FoundPage, ParleyClient } from "@parley/client";
import { expect, test } from "vitest";
import { type Locator, page, userEvent } from "vitest/browser";
import { composer, messageWith } from "../../page-stage/conversation.js";
import { answer, type PageRequest, refuse } from "../../page-stage/fake-server.js";
import {
  type Community,
  channel,
  channelPath,
  community,
  created,
  directChannel,
  madeAt,
  message,
  newId,
  user,
} from "../../page-stage/fixtures.js";
import { focused } from "../../page-stage/keys.js";
import { counted, gone, shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

type Query = Parameters<ParleyClient["search"]["find"]>[0];
type Found = FoundPage["results"][number];

const dialog = () => page.getByRole("dialog", { name: "Search" });
const field = () => dialog().getByRole("combobox", { name: "Search for" });
const options = () => dialog().getByRole("option");
const chip = (label: string) => dialog().getByRole("button", { name: `Remove the filter ${label}` });
const group = (name: string) => dialog().getByRole("group", { name });

/** A page of results. */
const pageOf = (results: Found[], changes: Partial<FoundPage> = {}): FoundPage => ({
  results,
  total: results.length,
  total_is_exact: true,
  next: null,
  query: { terms: [], from: [], mentions: [], in: [], server: [], has: [], is: [], since: null, until: null },
  ...changes,
});

/** A found message of a channel. */
function foundIn(
  { server, channels: [general] }: Community,
  text: string,
  word = text,
): Found & { message: DetailedMessage } {
  const ben = user("ben");
  const author = { id: ben.id, username: ben.username, nickname: null, avatar_url: null };
  return {
    message: { ...message(general, ben, text), author, server_id: server.id },
    ...{ channel_name: general.name, ranges: [[text.indexOf(word), word.length]], thread_root_id: null },
  };
}

/** What a request asked for. */
const asked = ({ query }: PageRequest): Query => Object.fromEntries(query);

type Search = Awaited<ReturnType<typeof openSearch>>;

/** Opens the page of somebody in two servers, with the search. */
async function openSearch(find: (query: Query) => unknown, changes: { width?: number } = {}) {
  const [ada, ben] = [user("ada"), user("ben")];
  const [club, band] = [community([ada, ben]), community([ada, ben], { name: "Band" })];
  const openings = channel(club.server, "openings", { position: 1 });
  club.channels.push(openings);
  const direct = directChannel(ben);
  const stage = await visit(world(ada, [club, band], { directChannels: [direct] }), {
    path: channelPath(club.channels[0]),
    ...(changes.width === undefined ? {} : { viewport: { width: changes.width, height: 780 } }),
    prepare: (server) => server.on("GET /search", (request) => find(asked(request))),
  });
  await shown(composer());
  const requests = () => stage.server.requests("GET /search").map(asked);
  return { stage, ada, ben, club, band, openings, direct, requests };
}

/** The keys of the search, from the composer. */
async function begin(): Promise<void> {
  composer().element().focus();
  await userEvent.keyboard("{Control>}f{/Control}");
  await focused(field());
}

/** Types letters, whose results the page has then: those of the first letters look alike, and may come before them. */
async function type({ stage, requests }: Pick<Search, "stage" | "requests">, letters: string): Promise<void> {
  await userEvent.keyboard(letters);
  await expect.poll(() => requests().at(-1)?.q).toBe(letters);
  await stage.settled();
}

test("a search finds messages of all servers and conversations in groups, and leads to one by the keyboard alone and back to the list", async () => {
  let results: Found[] = [];
  const { stage, club, band, ben, requests } = await openSearch(() => pageOf(results));
  const there = foundIn(club, "A walnut tree", "walnut");
  const [general] = club.channels;
  club.messages[general.id] = [message(general, ben, "First"), there.message];
  results = [foundIn(band, "Walnut drums", "Walnut"), there];
  await begin();
  await type({ stage, requests }, "walnut");
  await shown(group("Band").getByRole("option").filter({ hasText: "Walnut drums" }));
  await counted(group("Chess club").getByRole("option"), 1);
  await shown(dialog().getByText("2 messages", { exact: true }));
  await expect.element(group("Band").getByRole("mark")).toHaveTextContent("Walnut");
  expect(requests().at(-1)).toEqual({ q: "walnut", sort: "new", limit: "25" });
  await userEvent.keyboard("{ArrowDown}{ArrowDown}");
  await expect.element(options().nth(1)).toHaveAttribute("aria-selected", "true");
  await userEvent.keyboard("{Enter}");
  await gone(dialog());
  await focused(messageWith("A walnut tree"));
  expect(location.pathname).toBe(`/app${channelPath(general)}/${there.message.id}`);
  const before = requests().length;
  await page.getByRole("button", { name: "Back to results" }).click();
  await focused(field());
  await expect.element(field()).toHaveValue("walnut");
  await counted(options(), 2);
  await expect.element(options().nth(1)).toHaveAttribute("aria-selected", "true");
  expect(requests()).toHaveLength(before);
  await userEvent.keyboard("{Escape}");
  await shown(page.getByRole("button", { name: "Search", exact: true }));
});

test("filters are completed with people, channels and dates, and become chips, which a key takes away", async () => {
  const { openings, ben, requests } = await openSearch(() => pageOf([]));
  await begin();
  await userEvent.keyboard("walnut from:be");
  await shown(options().filter({ hasText: "ben" }));
  await userEvent.keyboard("{Enter}");
  await shown(chip("From: ben"));
  await expect.element(field()).toHaveValue("walnut ");
  await userEvent.keyboard("in:open");
  await shown(options().filter({ hasText: "openings" }));
  await userEvent.keyboard("{Enter}");
  await shown(chip("In: openings"));
  await userEvent.keyboard("after:yest");
  await shown(options().filter({ hasText: "yesterday" }));
  await userEvent.keyboard("{Enter}");
  await shown(chip("After: yesterday"));
  await userEvent.keyboard("has:image ");
  await shown(chip("Has: a picture"));
  const places = { from: ben.id, in: openings.id };
  const rest = { sort: "new", limit: "25" };
  await expect.poll(() => requests().at(-1)).toEqual({ q: "walnut after:yesterday has:image", ...places, ...rest });
  await shown(dialog().getByText(/^No messages match/));
  await field().fill("");
  await userEvent.keyboard("{Backspace}");
  await gone(chip("Has: a picture"));
  await chip("From: ben").click();
  await focused(field());
  await expect.poll(() => requests().at(-1)).toEqual({ q: "after:yesterday", in: openings.id, ...rest });
});

test("a name that nobody has is marked, and one that looks like it takes its place", async () => {
  const nobody = { error: "Nothing is called benn", message: "Nothing is called benn", code: "nothing_called" };
  const { requests } = await openSearch(({ q = "" } = {}) =>
    q.includes("benn")
      ? answer(400, { ...nobody, filter: "from", value: "benn", suggestions: ["ben", "benny"] })
      : pageOf([]),
  );
  await begin();
  await userEvent.keyboard("from:benn{Enter}");
  await shown(dialog().getByRole("alert").filter({ hasText: "Nothing is called benn" }));
  await dialog().getByRole("button", { name: "ben", exact: true }).click();
  await shown(chip("From: ben"));
  await shown(dialog().getByText(/^No messages match/));
  await expect.poll(() => requests().at(-1)?.q).toBe("from:ben");
});

test("a search that takes long says so, and one that fails is repeated", async () => {
  const { stage, club } = await openSearch(() => pageOf([]));
  const late = stage.server.hold("GET /search", () => refuse(500, "Internal server error"));
  await begin();
  await userEvent.keyboard("walnut{Enter}");
  await late.asked;
  await shown(dialog().getByText("The search is taking longer than usual…"));
  stage.server.on("GET /search", () => pageOf([foundIn(club, "Walnut")]));
  late.release();
  await dialog().getByRole("button", { name: "Try again" }).click();
  await counted(options(), 1);
});

test("searches of before, and the open place, are offered to an empty field", async () => {
  const { club, requests } = await openSearch(() => pageOf([]));
  await begin();
  await userEvent.keyboard("walnut has:link {Enter}");
  await shown(dialog().getByText(/^No messages match/));
  await userEvent.keyboard("{Escape}");
  await gone(dialog());
  // The closed dialog returns the focus.
  await focused(composer());
  composer().element().blur();
  await userEvent.keyboard("/");
  await focused(field());
  await options().filter({ hasText: "walnut · Has: a link" }).click();
  await shown(chip("Has: a link"));
  await expect.element(field()).toHaveValue("walnut");
  await chip("Has: a link").click();
  await field().fill("");
  await options().filter({ hasText: "Only in this server" }).click();
  await shown(chip("Server: Chess club"));
  await expect.poll(() => requests().at(-1)).toMatchObject({ q: "", server: club.server.id });
});

test("a found message that is deleted or edited meanwhile changes in the results", async () => {
  let left: Found[] = [];
  const { stage, club, requests } = await openSearch(() => pageOf(left));
  const [general] = club.channels;
  left = ["one", "two", "three", "four"].map((word) => foundIn(club, `Walnut ${word}`));
  await begin();
  await type({ stage, requests }, "walnut");
  await counted(options(), 4);
  const [one, two, three, four] = left.map((found) => found.message);
  stage.socket.event("MESSAGE_DELETE", { id: one?.id ?? "", channel_id: general.id });
  await counted(options(), 3);
  stage.socket.event("MESSAGE_DELETE_BULK", { ids: [two?.id ?? "", three?.id ?? ""], channel_id: general.id });
  await counted(options(), 1);
  left = [foundIn(club, "Walnut five")];
  const { attachments: _files, ...edited } = created(message(general, user("ben"), "Walnut five"), general);
  stage.socket.event("MESSAGE_UPDATE", { ...edited, id: four?.id ?? "", edited_at: madeAt });
  await shown(options().filter({ hasText: "Walnut five" }));
  await shown(dialog().getByText("1 message", { exact: true }));
});

test("a page of results that is late is not added to the results for other words", async () => {
  const first: Found[] = [];
  const { stage, club } = await openSearch(({ q } = {}) =>
    q === "walnut" ? pageOf(first, { total: 26, next: newId() }) : pageOf([foundIn(club, "Chestnut")]),
  );
  first.push(...Array.from({ length: 25 }, (_, n) => foundIn(club, `Walnut ${n}`)));
  await begin();
  await userEvent.keyboard("walnut");
  await counted(options(), 25);
  const late = stage.server.hold("GET /search", () => pageOf([foundIn(club, "Walnut 25")], { total: 26 }));
  await dialog().getByRole("button", { name: "More results" }).click();
  await late.asked;
  stage.server.on("GET /search", () => pageOf([foundIn(club, "Chestnut")]));
  await field().fill("chestnut");
  await shown(options().filter({ hasText: "Chestnut" }));
  late.release();
  await stage.settled();
  await counted(options(), 1);
});

test("on a telephone the search fits the window, and its filters begin with a tap", async () => {
  const width = 390;
  const { club } = await openSearch(() => pageOf([foundIn(club, "A walnut tree ".repeat(30), "walnut")]), { width });
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await dialog().getByRole("button", { name: "From", exact: true }).click();
  await expect.element(field()).toHaveValue("from:");
  await field().fill("walnut");
  await counted(options(), 1);
  const inWindow = (locator: Locator) => {
    const { left, right } = locator.element().getBoundingClientRect();
    expect(left).toBeGreaterThanOrEqual(0);
    expect(right).toBeLessThanOrEqual(width);
  };
  inWindow(dialog());
  inWindow(field());
  inWindow(options());
});

test("the focus returns to the search of the screen that was read while the search was open", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  let channels = { asked: Promise.resolve(), release: (): void => undefined };
  await visit(world(ada, [club]), {
    path: channelPath(club.channels[0]),
    prepare: (server) => {
      channels = server.hold("GET /servers/:id/channels", () => club.channels);
    },
  });
  await channels.asked;
  const button = page.getByRole("button", { name: "Search", exact: true });
  await button.click();
  await focused(field());
  channels.release();
  await shown(page.getByRole("button", { name: "Pinned messages", includeHidden: true }));
  await userEvent.keyboard("{Escape}");
  await gone(dialog());
  await focused(button);
});
