import type { FilePage } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { madeAt, newId } from "../../page-stage/fixtures.js";
import { counted, gone, shown } from "../../page-stage/seeing.js";
import { button, openSettings } from "../../page-stage/settings.js";

const files = () => page.getByRole("list", { name: "Files" }).getByRole("listitem");

test("the files of a server are listed by kind, page after page, beside the room that they take", async () => {
  const file = (filename: string, channel_id: string): FilePage["files"][number] => ({
    ...{ id: newId(), message_id: newId(), channel_id, filename, file_size: 2_000, mime_type: "application/zip" },
    ...{ url: `/files/${filename}`, width: null, height: null, created_at: madeAt },
  });
  const { server, club } = await openSettings("files", (fake, { channels: [general] }) => {
    fake.on("GET /servers/:id/storage", () => ({ used: 1_500_000_000, quota: 50_000_000_000, files: 3 }));
    const [first, second] = [file("games.zip", general.id), file("older.zip", general.id)];
    fake.on("GET /servers/:id/files", ({ query }) => {
      if (query.get("type") === "video") return { files: [], next: null };
      return query.get("before") === null ? { files: [first], next: first.id } : { files: [second], next: null };
    });
  });
  await shown(page.getByText("1.5 GB of 50 GB, in 3 files."));
  await expect.element(page.getByRole("meter", { name: "Storage" })).toBeVisible();
  await counted(files(), 1);
  await shown(files().getByText("#general"));
  await button("Older files").click();
  await counted(files(), 2);
  await gone(button("Older files"));
  const [newest] = server.requests("GET /servers/:id/files");
  expect(newest?.query.get("type")).toBeNull();
  const toMessage = page.getByRole("link", { name: "Show the message with games.zip" });
  await expect
    .element(toMessage)
    .toHaveAttribute("href", expect.stringMatching(`^/app/servers/${club.server.id}/channels/${club.channels[0].id}/`));
  await button("Videos").click();
  await shown(page.getByText("There are no files here."));
});
