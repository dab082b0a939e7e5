import {
  createClient,
  createServerWithMembers,
  type RestClient,
  type ServerFixture,
  sharedStack,
  type Users,
} from "@parley/testing";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { discordPosts, githubPosts, irregularPosts, slackPosts } from "../stages/posts-of-others.js";
import { postAs } from "../stages/posts-of-others-stage.js";

let client: RestClient;
/** A channel has 15 incoming webhooks at most. */
let stage: ServerFixture<Users<1>>;

beforeAll(async () => {
  client = createClient((await sharedStack()).edgeUrl);
});
beforeEach(async () => {
  stage = await createServerWithMembers(client, 1);
});

test.each([...discordPosts, ...slackPosts, ...irregularPosts, ...githubPosts])(
  "what $from sends becomes a message",
  async (post) => {
    const { owner, channel } = stage;
    await postAs(client, owner, { channelId: channel.id, serverId: stage.server.id, post });
    const [newest] = (await owner.get(`/channels/${channel.id}/messages?limit=1`)).expect(
      200,
      z.array(z.looseObject({})),
    );
    expect(newest).toMatchObject(post.becomes);
  },
);
