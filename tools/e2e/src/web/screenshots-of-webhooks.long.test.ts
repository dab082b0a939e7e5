import { createChannel, createServer, type UserClient } from "@parley/testing";
import { beforeAll, expect, test } from "vitest";
import { discordPosts, githubPosts, slackPosts } from "../api/stages/posts-of-others.js";
import { postAs } from "../api/stages/posts-of-others-stage.js";
import { take } from "./screenshot-stage.js";
import { channelPath, useWebStage } from "./web-stage.js";

const stage = useWebStage();
let owner: UserClient;
let serverId: string;

beforeAll(async () => {
  owner = await stage.client.register({ username: "iris" });
  serverId = (await createServer(owner, { name: "Workshop" })).id;
});

test.each([
  { name: "discord", posts: discordPosts, height: 760 },
  { name: "slack", posts: slackPosts, height: 760 },
  { name: "github", posts: githubPosts, height: 1_440 },
])("what is posted as for $name, in the conversation", async ({ name, posts, height }) => {
  const channel = await createChannel(owner, serverId, { name: `from-${name}` });
  for (const post of posts) await postAs(stage.client, owner, { serverId, channelId: channel.id, post });
  await owner.post(`/channels/${channel.id}/ack`);
  const page = await stage.visit(owner, { path: channelPath(channel) });
  await page.setViewportSize({ width: 1_000, height });
  await page
    .locator("article")
    .nth(posts.length - 1)
    .waitFor();
  const drawn = "[...document.querySelectorAll('article img')].every((picture) => picture.complete)";
  await expect.poll(() => page.evaluate(drawn)).toBe(true);
  await take(page, `webhooks-${name}`);
  await page.context().close();
});
