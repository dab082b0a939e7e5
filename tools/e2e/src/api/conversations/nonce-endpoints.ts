import { DmChannel } from "@parley/contracts";
import { postMessage, type ServerFixture, type UserClient } from "@parley/testing";

/** A member of a server, who sends. */
interface Scene {
  fixture: ServerFixture;
  author: UserClient;
}

/** Every endpoint that takes a nonce, with a body. */
export const nonceEndpoints = {
  "a message": async ({ fixture }: Scene) => ({
    path: `/channels/${fixture.channel.id}/messages`,
    body: { content: "hello" },
  }),
  "a poll": async ({ fixture }: Scene) => ({
    path: `/channels/${fixture.channel.id}/polls`,
    body: { question: "e4?", options: ["yes", "no"] },
  }),
  "a thread reply": async ({ fixture }: Scene) => {
    const root = await postMessage(fixture.owner, fixture.channel.id, "root");
    return { path: `/channels/${fixture.channel.id}/messages/${root.id}/thread`, body: { content: "hello" } };
  },
  "a direct message": async ({ fixture, author }: Scene) => {
    const dm = (await author.post("/dm-channels", { user_id: fixture.owner.user.id })).expect(201, DmChannel);
    return { path: `/dm-channels/${dm.id}/messages`, body: { content: "hello" } };
  },
};
