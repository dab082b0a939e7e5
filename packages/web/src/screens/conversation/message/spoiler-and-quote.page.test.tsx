import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { actInMenu, composer, messageWith } from "../../../page-stage/conversation.js";
import { channelPath, community, message, user } from "../../../page-stage/fixtures.js";
import { focused, pressAt } from "../../../page-stage/keys.js";
import { counted, gone, shown } from "../../../page-stage/seeing.js";
import { visit } from "../../../page-stage/stage.js";
import { world } from "../../../page-stage/world.js";

/** The page of Ada, with a message of Ben. */
async function openWith(text: string): Promise<void> {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  club.messages[general.id] = [message(general, ben, text)];
  const stage = await visit(world(ada, [club]), { path: channelPath(general) });
  await shown(composer());
  await stage.settled();
}

test("a spoiler hides its contents, formats and links, too, until it is pressed", async () => {
  await openWith("It ends with ||**Rosebud**, see [here](https://example.com)||.");
  const spoilt = messageWith("It ends with");
  const spoiler = spoilt.getByRole("button", { name: "Spoiler: click to show" });
  await shown(spoiler);
  await gone(spoilt.getByText("Rosebud"));
  await counted(spoilt.getByRole("link"), 0);
  await pressAt(spoiler, "{Enter}");
  await shown(spoilt.getByCss("strong").filter({ hasText: "Rosebud" }));
  // The keyboard goes on from there.
  await userEvent.keyboard("{Tab}");
  await focused(spoilt.getByRole("link", { name: "here" }));
});

test("a quoted message stands in the composer, which has the focus, before what is written next", async () => {
  await openWith("First line\nsecond line");
  await composer().fill("Well:");
  await actInMenu("First line", "Quote");
  await expect.element(composer()).toHaveValue("Well:\n> First line\n> second line\n\n");
  await focused(page.getByCss("[data-composer]"));
  await userEvent.keyboard("I see.{Enter}");
  await shown(messageWith("I see.").getByCss("blockquote").filter({ hasText: "second line" }));
});
