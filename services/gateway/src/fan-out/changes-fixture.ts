import { randomUUID } from "node:crypto";
import type { EventPayload } from "@parley/contracts";
import { connectNumbered, startStage as startNodes } from "../continuing/continuing-fixture.js";
import { publish, type TestClient } from "../gateway-fixture.js";

/** Queries of connections that get the whole stream of changes, without and with members. */
export const changes = "&v=2";
export const allChanges = "&v=2&members=all";

/**
 * A server with a channel and an owner whose client on the first node gets every event, and a user without a
 * membership.
 */
export interface Scene {
  ownerId: string;
  userId: string;
  place: { server_id: string; channel_id: string };
  owner: TestClient;
}

/** A member as events carry them. */
export const memberOf = (user_id: string): EventPayload<"MEMBER_JOIN">["member"] => ({
  user_id,
  username: "name",
  avatar_url: null,
  status: "online",
  custom_status: null,
  activity: null,
  nickname: null,
  joined_at: new Date().toISOString(),
  timeout_expires_at: null,
  roles: [],
});

/** Two gateways, and memberships that are stored and announced as the api does. */
export async function startStage() {
  const nodes = await startNodes();
  const { messaging } = nodes.nodes[0];
  const scenes = {
    async createScene(): Promise<Scene> {
      const [ownerId, userId] = [await nodes.rows.user(), await nodes.rows.user()];
      const place = await nodes.place(ownerId);
      return { ownerId, userId, place, owner: await connectNumbered(nodes.nodes[0], ownerId, allChanges) };
    },
    /** The membership is stored, and announced as the api does. */
    async join({ userId: user_id, place: { server_id } }: Scene) {
      await nodes.rows.member(server_id, user_id);
      await scenes.publishJoin(server_id, user_id);
    },

    async publishJoin(server_id: string, user_id: string) {
      await publish(messaging, "SERVER_JOINED", { user_id }, { server_id, user_id });
      await publish(messaging, "MEMBER_JOIN", { server_id }, { server_id, member: memberOf(user_id) });
    },

    async kick({ userId: user_id, place: { server_id } }: Scene) {
      await nodes.rows.endMember(server_id, user_id);
      await scenes.publishKick(server_id, user_id);
    },

    async publishKick(server_id: string, user_id: string) {
      await publish(messaging, "MEMBER_KICK", { server_id }, { server_id, user_id, reason: null });
      const left = { server_id, user_id, reason: "kicked" } as const;
      await publish(messaging, "MEMBER_LEAVE", { server_id }, left);
      await publish(messaging, "SERVER_LEFT", { user_id }, left);
    },

    /** Waits until the owner has the last published event, a message; then returns all events of a client. */
    async eventsOf(client: TestClient, { place, owner }: Scene) {
      const content = randomUUID();
      await nodes.post(place, content);
      await owner.receive("MESSAGE_CREATE", (d) => d.content === content);
      await client.settled();
      return client.events();
    },
  };
  return { ...nodes, ...scenes };
}
