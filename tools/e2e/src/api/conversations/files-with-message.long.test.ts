import { readdir, utimes } from "node:fs/promises";
import { SentMessage } from "@parley/contracts";
import { useMortalStack, waitUntil } from "@parley/testing";
import { expect, test } from "vitest";
import { createUploadStage, filesBelow, formOf } from "../stages/upload-stage.js";

const mortal = useMortalStack();

test("a message that is sent with its files loses its files with itself, and until then the sweep leaves them", async () => {
  const stage = await createUploadStage(mortal.stack);
  const [author] = stage.members;
  const path = `/channels/${stage.channel.id}/messages`;
  const send = async (name: string) => {
    const form = formOf([{ name, bytes: Buffer.from(name) }]);
    form.append("payload_json", "{}");
    return (await author.send("POST", path, { body: form })).expect(201, SentMessage);
  };
  const [kept, gone] = [await send("kept.txt"), await send("gone.txt")];
  expect((await author.delete(`/messages/${gone.id}`)).status).toBe(204);
  const [lost] = gone.attachments ?? [];
  expect((await fetch(`${stage.client.baseUrl}${lost?.url}`)).status).toBe(404);
  const old = new Date(Date.now() - 7_200_000);
  for (const file of await filesBelow(stage.uploadDir)) await utimes(file, old, old);
  const api = await mortal.stack.startApi();
  const names = async () => (await readdir(stage.uploadDir, { recursive: true })).join(" ");
  await waitUntil(async () => !(await names()).includes("gone.txt"), { what: "the sweep of files" });
  await mortal.stack.dismiss(api);
  const [left] = kept.attachments ?? [];
  expect((await fetch(`${stage.client.baseUrl}${left?.url}`)).status).toBe(200);
});
