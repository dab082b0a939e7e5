import type { Page } from "@parley/testing";
import { waitUntil } from "@parley/testing";
import { beforeEach, expect, test } from "vitest";
import { type Conversation, composer, messageWith, openConversation, useOwnWebStage, write } from "./web-stage.js";

const quietLine = "Connection lost. Reconnecting …";
const messagesOfEach = 8;

// Its own: tests stop its processes.
const stage = useOwnWebStage();
let talk: Conversation;

beforeEach(async () => {
  // High enough for all messages: a list draws those in sight alone.
  talk = await openConversation(stage, { viewport: { width: 1280, height: 2400 } });
  for (const page of [talk.adasPage, talk.bensPage]) await page.evaluate(remember);
  return async () => {
    await talk.adasPage.context().close();
    await talk.bensPage.context().close();
  };
});

/** Marks the page as not reloaded, and keeps the texts of its lines of state. */
const remember = `
  globalThis.isSamePage = true;
  globalThis.said = [];
  new MutationObserver(() => {
    for (const line of document.querySelectorAll("[role=status]")) said.push(line.textContent);
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
`;

const hasSaidLost = (page: Page) => page.evaluate<boolean>(`said.includes(${JSON.stringify(quietLine)})`);

/** Both write, one after the other, and in the middle of it something happens. */
async function converse(middle: () => Promise<void>): Promise<string[]> {
  const texts: string[] = [];
  for (let number = 1; number <= messagesOfEach; number += 1) {
    for (const [name, page] of [["Ada", talk.adasPage] as const, ["Ben", talk.bensPage] as const]) {
      const text = `${name} says ${number}.`;
      texts.push(text);
      await write(page, text);
      // A sent message stands at its place once the server has it.
      await messageWith(page, text).filter({ hasNotText: "Sending" }).waitFor();
    }
    if (number === messagesOfEach / 2) await middle();
  }
  return texts;
}

/** The texts of the conversation as the page shows them, top down. */
async function shown(page: Page): Promise<string[]> {
  const rows = await page.getByRole("region", { name: "Messages" }).getByRole("article").allInnerTexts();
  return rows.flatMap((text) => text.match(/\w+ says \d+\./g) ?? []);
}

async function expectAllShown(texts: readonly string[]): Promise<void> {
  for (const page of [talk.adasPage, talk.bensPage]) {
    await waitUntil(
      async () => {
        expect(await shown(page)).toEqual(texts);
        return true;
      },
      { timeoutMs: 20_000, what: "each message once, in order" },
    );
    await page.getByText(quietLine).waitFor({ state: "hidden" });
    expect(await page.evaluate("globalThis.isSamePage")).toBe(true);
  }
}

test("each gateway is killed in the middle of a conversation: a quiet line, and nothing is lost", async () => {
  const { adasPage, bensPage } = talk;
  const texts = await converse(async () => {
    await stage.stack.gateways[0]?.kill();
  });
  await expectAllShown(texts);
  await stage.stack.gateways[0]?.restart();
  await write(adasPage, "Ada says 99.");
  await stage.stack.gateways[1]?.kill();
  await write(bensPage, "Ben says 99.");
  await expectAllShown([...texts, "Ada says 99.", "Ben says 99."]);
  await stage.stack.gateways[1]?.restart();
  for (const page of [adasPage, bensPage]) expect(await hasSaidLost(page)).toBe(true);
});

test("NATS is killed in the middle of a conversation: nothing is lost once it is back", async () => {
  let isBack: Promise<void> = Promise.resolve();
  const texts = await converse(async () => {
    await stage.stack.nats.kill();
    await write(talk.adasPage, "Ada says 50.");
    await messageWith(talk.adasPage, "Ada says 50.").filter({ hasNotText: "Sending" }).waitFor();
    isBack = stage.stack.nats.restart();
  });
  await isBack;
  const middle = messagesOfEach;
  await expectAllShown([...texts.slice(0, middle), "Ada says 50.", ...texts.slice(middle)]);
  await expect.poll(() => composer(talk.adasPage).isEnabled()).toBe(true);
});
