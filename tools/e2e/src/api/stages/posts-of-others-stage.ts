import { IncomingWebhookWithToken } from "@parley/contracts";
import type { RestClient, UserClient } from "@parley/testing";
import { expect } from "vitest";
import type { PostOfOthers } from "./posts-of-others.js";

/** Posts to a new incoming webhook of the channel, unchanged. */
export async function postAs(
  client: RestClient,
  owner: UserClient,
  { serverId, channelId, post }: { serverId: string; channelId: string; post: PostOfOthers },
): Promise<void> {
  const { path } = (
    await owner.post(`/servers/${serverId}/incoming-webhooks`, { channel_id: channelId, name: "Builds" })
  ).expect(201, IncomingWebhookWithToken);
  const headers = { "content-type": "application/json", ...(post.event && { "x-github-event": post.event }) };
  const answer = await client.send("POST", `${path}${post.suffix}`, { body: JSON.stringify(post.body), headers });
  expect(answer.status).toBe(post.suffix === "/slack" ? 200 : 204);
}
