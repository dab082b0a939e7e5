import { Attachment } from "@parley/contracts";
import { postMessage, type ServerFixture } from "@parley/testing";
import { expect } from "vitest";

/** Attaches a file to a new message of the owner; returns its address. */
export async function attachFile(url: string, { owner, channel }: ServerFixture, content: Buffer): Promise<string> {
  const { id } = await postMessage(owner, channel.id, "a file");
  const form = new FormData();
  form.append("files", new Blob([content], { type: "text/plain" }), "kept.txt");
  const headers = { authorization: `Bearer ${owner.accessToken}` };
  const answer = await fetch(`${url}/messages/${id}/attachments`, { method: "POST", headers, body: form });
  expect(answer.status).toBe(201);
  const [attachment] = Attachment.array().parse(await answer.json());
  return attachment?.url ?? "";
}
