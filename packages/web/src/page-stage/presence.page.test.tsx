import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { composer, write } from "./conversation.js";
import { channelPath, community, user } from "./fixtures.js";
import { counted, gone, shown } from "./seeing.js";
import { visit } from "./stage.js";
import { world } from "./world.js";

test("a test cannot say that something is gone that was never there, before the page has settled", async () => {
  const ada = user("ada");
  const club = community([ada]);
  const [general] = club.channels;
  const stage = await visit(world(ada, [club]), { path: channelPath(general) });
  const never = page.getByText("Nobody says this");
  const saysNothing = /was never on the page, and the page has not settled/;
  await shown(composer());
  await expect(gone(never)).rejects.toThrow(saysNothing);
  await expect(counted(never, 0)).rejects.toThrow(saysNothing);
  await stage.settled();
  await gone(never);
  await write("Hello");
  await expect(gone(never)).rejects.toThrow(saysNothing);
  await stage.reload();
  await expect(gone(page.getByText("Hello"))).rejects.toThrow(saysNothing);
});
