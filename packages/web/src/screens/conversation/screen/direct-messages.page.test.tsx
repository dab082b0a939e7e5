import type { DmMessage, NewDmMessage } from "@parley/client";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { composer, copyWith, messageWith, write } from "../../../page-stage/conversation.js";
import {
  channelPath,
  community,
  directChannel,
  madeAt,
  newId,
  type Person,
  user,
} from "../../../page-stage/fixtures.js";
import { picture } from "../../../page-stage/pictures.js";
import { counted, gone, shown } from "../../../page-stage/seeing.js";
import { visit } from "../../../page-stage/stage.js";
import { world } from "../../../page-stage/world.js";

// Direct messages on all devices of two people are in tools/e2e/src/web/direct-messages.test.ts.

type Listed = Required<Pick<DmMessage, "reactions" | "attachments">>;

/** A conversation of Ada and Ben, on Ben's page, in which Ada has written so many moves. */
function openable(moves: number) {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const direct = directChannel(ada);
  const written = ({ id, username }: Person, content: string, changes: Partial<NewDmMessage> = {}): NewDmMessage => ({
    ...{ id: newId(), channel_id: direct.id, author_id: id, content, edited_at: null, created_at: madeAt },
    author: { id, username, nickname: null, avatar_url: null },
    ...changes,
  });
  const listed = (one: NewDmMessage): DmMessage & Listed => ({ reactions: [], attachments: [], ...one });
  const history: DmMessage[] = Array.from({ length: moves }, (_, n) => listed(written(ada, `Move ${n + 1}.`)));
  const there = world(ben, [club], { directChannels: [direct], directMessages: { [direct.id]: history } });
  return { ada, ben, club, direct, written, listed, history, there, path: `/dm/${direct.id}` };
}

const directLink = () => page.getByRole("navigation", { name: "Direct messages" }).getByRole("link", { name: /ada/ });

test("a conversation begins at the card of a member, and is marked while something in it is unread", async () => {
  const { ada, ben, club, direct, written, listed, history, there } = openable(0);
  there.directChannels = [];
  const stage = await visit(there, { path: channelPath(club.channels[0]) });
  const { server, socket } = stage;
  server.on("POST /dm-channels", () => {
    there.directChannels = [direct];
    socket.event("DM_CHANNEL_CREATE", direct);
    return direct;
  });
  server.on<{ content: string; nonce: string }>("POST /dm-channels/:id/messages", ({ body: { content, nonce } }) => {
    const sent = written(ben, content);
    history.push(listed(sent));
    socket.event("DM_MESSAGE_CREATE", { ...sent, nonce });
    const { author: _author, ...stored } = sent;
    return { ...stored, nonce };
  });
  await page.getByRole("complementary", { name: "Members" }).getByRole("button", { name: ada.username }).click();
  await page.getByRole("button", { name: "Message", exact: true }).click();
  await shown(page.getByRole("heading", { name: ada.username, level: 1 }));
  expect(server.requests("POST /dm-channels").map(({ body }) => body)).toEqual([{ user_id: ada.id }]);
  await write("A word in private");
  await shown(messageWith("A word in private").filter({ hasNotText: "Sending" }));
  stage.goTo(channelPath(club.channels[0]));
  await shown(page.getByRole("heading", { name: "general", level: 1 }));
  await stage.settled();
  const rail = page.getByRole("navigation", { name: "Servers" });
  const place = rail.getByRole("listitem").filter({ has: page.getByRole("link", { name: "Direct messages" }) });
  const answer = written(ada, "Nobody hears us");
  history.push(listed(answer));
  socket.event("DM_MESSAGE_CREATE", answer);
  await shown(place.getByText("unread messages"));
  await place.getByRole("link", { name: "Direct messages" }).click();
  await directLink().click();
  await shown(messageWith("Nobody hears us"));
  await gone(place.getByText("unread messages"));
});

test("files are pasted and chosen, and sent with a direct message", async () => {
  const { ben, written, listed, history, there, path } = openable(1);
  const stage = await visit(there, { path });
  await shown(messageWith("Move 1."));
  await stage.settled();
  stage.server.on("POST /dm-channels/:id/messages", ({ form }) => {
    const { content, nonce }: { content: string; nonce: string } = JSON.parse(String(form?.get("payload_json")));
    const sent = written(ben, content);
    const text = { width: null, height: null, mime_type: "text/plain" };
    const moves = { ...picture(sent.id, "moves.txt"), ...text };
    const attachments = [picture(sent.id, "board.png"), moves];
    history.push(listed({ ...sent, attachments }));
    stage.socket.event("DM_MESSAGE_CREATE", { ...sent, attachments, nonce });
    const { author: _author, ...stored } = sent;
    return { ...stored, attachments, nonce };
  });
  const data = new DataTransfer();
  data.items.add(new File(["1. e4 e5"], "moves.txt", { type: "text/plain" }));
  const paste = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
  page.getByCss("[data-composer]").element().dispatchEvent(paste);
  await shown(page.getByRole("button", { name: "Remove moves.txt" }));
  await page.getByCss("input[type=file]").upload(new File(["board"], "board.png", { type: "image/png" }));
  await shown(page.getByRole("button", { name: "Remove board.png" }));
  await write("The position");
  const sent = messageWith("The position");
  await shown(sent.getByRole("button", { name: "Open board.png" }));
  await shown(sent.getByRole("link", { name: /moves\.txt/ }));
  const form = stage.server.requests("POST /dm-channels/:id/messages").at(-1)?.form;
  const names = form?.getAll("files").map((file) => (file instanceof File ? file.name : file));
  expect(names).toEqual(["moves.txt", "board.png"]);
});

test("a conversation is searched, and a result leads to its place far back, from which the history goes on", async () => {
  const { history, there, path } = openable(120);
  const stage = await visit(there, { path });
  await shown(messageWith("Move 120."));
  await stage.settled();
  await counted(messageWith(/Move 7\./), 0);
  const found = history.filter(({ content }) => content === "Move 7.");
  const parts = { terms: [], from: [], mentions: [], in: [], server: [], has: [], is: [], since: null, until: null };
  stage.server.on("GET /search", () => ({
    results: found.map((one) => ({
      message: { ...one, author: null },
      ...{ channel_name: null, ranges: [[0, 4]], thread_root_id: null },
    })),
    ...{ total: 1, total_is_exact: true, next: null, query: parts },
  }));
  await page.getByRole("button", { name: "Search" }).click();
  const dialog = page.getByRole("dialog", { name: "Search" });
  await dialog.getByRole("combobox").fill("move 7");
  await dialog.getByRole("option").filter({ hasText: "Move 7." }).click();
  await gone(dialog);
  await shown(messageWith(/Move 7\./));
  await expect.poll(() => location.pathname).toBe(`/app${path}/${found[0]?.id}`);
  await shown(messageWith(/Move 8\./));
  await page.getByRole("button", { name: /Jump to the newest messages|new messages?$/ }).click();
  await shown(messageWith("Move 120."));
  await expect.element(composer()).toHaveValue("");
});

test("what came since is below a line when a conversation is opened, and the link of a message leads to it", async () => {
  const { ada, written, listed, history, there, path } = openable(3);
  const stage = await visit(there, { path });
  await shown(messageWith("Move 3."));
  stage.goTo("/friends");
  await shown(directLink());
  await stage.settled();
  const asked = written(ada, "Are you there?");
  history.push(listed(asked));
  stage.socket.event("DM_MESSAGE_CREATE", asked);
  await directLink().filter({ hasText: "unread messages" }).click();
  await shown(messageWith("Are you there?"));
  await shown(page.getByRole("region", { name: "Messages" }).getByText("New", { exact: true }));
  await messageWith("Are you there?").click({ button: "right" });
  const copied = await copyWith(page.getByRole("menuitem", { name: "Copy link" }));
  expect(copied).toBe(`${location.origin}/app${path}/${asked.id}`);
  await userEvent.keyboard("{Escape}");
  stage.goTo("/friends");
  await gone(messageWith("Are you there?"));
  stage.goTo(`${path}/${asked.id}`);
  await shown(messageWith("Are you there?").and(page.getByCss("[data-target=true]")));
});
