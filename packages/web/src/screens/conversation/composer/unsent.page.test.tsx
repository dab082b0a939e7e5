import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { storedPart } from "../../../page-stage/bot.js";
import { composer, messageWith, sentMessage, write } from "../../../page-stage/conversation.js";
import { refuse } from "../../../page-stage/fake-server.js";
import { channelPath, community, message, user } from "../../../page-stage/fixtures.js";
import { pressAt } from "../../../page-stage/keys.js";
import { loginForm } from "../../../page-stage/login.js";
import { counted, gone, shown } from "../../../page-stage/seeing.js";
import { visit } from "../../../page-stage/stage.js";
import { world } from "../../../page-stage/world.js";

/** How many messages the browser keeps. */
async function countKept(): Promise<number> {
  const names = (await indexedDB.databases()).map(({ name }) => name);
  if (!names.includes("parley")) return 0;
  const settled = <Value,>(request: IDBRequest<Value>) =>
    new Promise<Value>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const database = await settled(indexedDB.open("parley"));
  const count = await settled(database.transaction("unsent").objectStore("unsent").count());
  database.close();
  return count;
}
const kept = (count: number) => expect.poll(countKept).toBe(count);

test("a message that failed waits for its author, also after a reload, and goes with the session", async () => {
  const ada = user("ada");
  const club = community([ada]);
  const [general] = club.channels;
  const stage = await visit(world(ada, [club]), { path: channelPath(general) });
  await shown(composer());
  await stage.settled();
  const address = "POST /channels/:id/messages";
  stage.server.on(address, () => refuse(500, "Internal server error"));
  const failed = "Not sent: Something went wrong on the server.";
  for (const text of ["Worth another try", "Better in other words", "Better not", "Left behind"]) {
    await write(text);
    await shown(messageWith(text).getByText(failed));
  }
  await kept(4);
  await stage.reload();
  await counted(page.getByText(failed), 4);
  await shown(messageWith("Worth another try").getByText(failed));
  await stage.settled();
  stage.server.on<{ content: string; nonce: string }>(address, ({ body }) => {
    const sent = message(general, ada, body.content);
    stage.arrives(sent);
    return { ...storedPart(sent), nonce: body.nonce };
  });
  const before = stage.server.requests(address).length;
  const press = (text: string, name: string) => messageWith(text).getByRole("button", { name }).click();
  await press("Worth another try", "Try again");
  await sentMessage("Worth another try");
  await gone(messageWith("Worth another try").getByText(failed));
  await press("Better not", "Delete");
  await gone(messageWith("Better not"));
  await composer().fill("That was a draft.");
  await press("Better in other words", "Edit");
  await expect.element(composer()).toHaveValue("Better in other words\nThat was a draft.");
  await pressAt(composer(), "{Enter}");
  await sentMessage(/Better in other words\s*That was a draft/);
  const texts = stage.server.requests<{ content: string }>(address).slice(before);
  expect(texts.map(({ body }) => body.content)).toEqual([
    "Worth another try",
    "Better in other words\nThat was a draft.",
  ]);
  await kept(1);

  stage.server.on("POST /auth/logout", () => undefined);
  await page.getByRole("button", { name: new RegExp(`^${ada.username}\\b.*Online$`) }).click();
  await page.getByRole("menuitem", { name: "Log out" }).click();
  await shown(loginForm());
  await kept(0);
});
