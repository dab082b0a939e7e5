import type { DetailedMessage } from "@parley/client";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { composer, messageWith, write } from "../../../page-stage/conversation.js";
import { channelPath, community, madeAt, message, newId, user } from "../../../page-stage/fixtures.js";
import { shown } from "../../../page-stage/seeing.js";
import { type Stage, visit } from "../../../page-stage/stage.js";
import { world } from "../../../page-stage/world.js";

// Every message is text. No Content-Security-Policy holds a script back here.

/** The page of Ada; Ben writes to her. */
async function openTalk() {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  const stage = await visit(world(ada, [club]), { path: channelPath(general) });
  await shown(composer());
  await stage.settled();
  const bens = (text: string, changes?: Partial<DetailedMessage>) =>
    stage.arrives(message(general, ben, text, changes));
  return { stage, bens };
}

const hasRun = () =>
  [window, window.parent, window.top].some((place) => place !== null && Reflect.has(place, "hacked"));
const isWithinWindow = () => document.documentElement.scrollWidth <= document.documentElement.clientWidth;
const forbidden = () =>
  page.getByRole("region", { name: "Messages" }).getByCss("a[href^='javascript:' i], a[href^='data:' i]").elements();

const scripts = [
  "<script>globalThis.hacked = true</script> no. 1",
  "<img src=x onerror='globalThis.hacked = true'> no. 2",
  "[no. 3](javascript:globalThis.hacked=true)",
  "![no. 4](javascript:globalThis.hacked=true) <a href='javascript:globalThis.hacked=true'>no. 4</a>",
  "<svg onload='globalThis.hacked = true'><iframe srcdoc='<script>top.hacked = true</script>'></iframe> no. 5",
  "[no. 6](data:text/html,<script>opener.hacked=true</script>)",
];

/** Waits until the text could have run as a script, and checks that it has not. */
async function expectText({ settled }: Pick<Stage, "settled">): Promise<void> {
  for (let n = 1; n <= scripts.length; n += 1) await shown(messageWith(`no. ${n}`));
  await settled();
  expect(forbidden()).toEqual([]);
  expect(hasRun()).toBe(false);
}

test("script in a message of somebody else is text", async () => {
  const { stage, bens } = await openTalk();
  for (const text of scripts) bens(text);
  await expectText(stage);
});

test("script in one's own message is text", async () => {
  const { stage } = await openTalk();
  for (const text of scripts) await write(text);
  await expectText(stage);
});

test("tags, pictures of strangers and names of files stay texts, and long code is folded", async () => {
  const { stage, bens } = await openTalk();
  const title = document.title;
  const id = newId();
  const name = "\u202egnp.<img src=x onerror=globalThis.hacked=true>.txt";
  bens("<script>document.title = 'taken'</script> [x](javascript:alert(1)) ![y](https://example.com/y.png)", {
    id,
    attachments: [
      {
        ...{ id: newId(), message_id: id, filename: name, mime_type: "text/plain", file_size: 4 },
        ...{ url: `/files/${id}/text.txt`, width: null, height: null, created_at: madeAt },
      },
    ],
  });
  const tags = messageWith("<script>");
  await shown(tags.getByText("<img src=x onerror=globalThis.hacked=true>"));
  await stage.settled();
  expect(document.title).toBe(title);
  expect(hasRun()).toBe(false);
  expect(tags.getByCss("a[href^='javascript'], img").elements()).toEqual([]);
  bens(`\`\`\`\n${"line\n".repeat(700)}\`\`\``);
  const messages = page.getByRole("region", { name: "Messages" });
  await messages.getByRole("button", { name: /^Show all \d+ lines$/ }).click();
  await shown(messages.getByRole("button", { name: "Show less" }));
});

/** Pastes a text and sends it, if it can be sent. */
async function paste(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  await composer().click();
  await userEvent.keyboard("{Control>}v{/Control}{Enter}");
}

test("4,000 emoji, right-to-left overrides and 10,000 lines of code leave the page as wide and as quick as it was", async () => {
  const { stage } = await openTalk();
  await paste("😀".repeat(4_000));
  await shown(messageWith("😀😀😀"));
  await write("\u202Egnp.exe \u2067 reversed");
  await shown(messageWith("reversed"));
  await paste(`\`\`\`\n${"\n".repeat(3_900)}the end\n\`\`\``);
  await shown(messageWith("Show all").getByRole("button", { name: /^Show all/ }));
  await paste(`${"x".repeat(3_900)} unbroken`);
  await shown(messageWith("unbroken"));
  await stage.settled();
  expect(isWithinWindow()).toBe(true);
  await paste("line\n".repeat(10_000));
  await shown(page.getByText(/characters too long$/));
  await composer().fill("");
  await write("Still here");
  await shown(messageWith("Still here"));
});
