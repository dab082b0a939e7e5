import { permissionBits } from "@parley/contracts";
import { waitUntil } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { publish } from "../gateway-fixture.js";
import { holdRoles } from "../numbered/hold-roles-fixture.js";
import { connectNumbered, contentsOf, continueAt, lastCursor, openNumbered, startStage } from "./continuing-fixture.js";

let stage: Awaited<ReturnType<typeof startStage>>;

beforeAll(async () => {
  stage = await startStage();
});

afterAll(() => stage.stop());

/** A channel that is hidden from a user whose connection is lost, and how it is shown. */
async function createScene() {
  const [ownerId, userId] = [await stage.rows.user(), await stage.rows.user()];
  const place = await stage.place(ownerId, [userId]);
  const { server_id, channel_id } = place;
  const override = await stage.rows.override(channel_id, { user_id: userId }, { deny: permissionBits.VIEW_CHANNEL });
  const client = await connectNumbered(stage.nodes[0], userId);
  await client.close();
  const [{ database, messaging }] = stage.nodes;
  return {
    ownerId,
    userId,
    place,
    s: lastCursor(client),
    show: () => database.prisma.channelOverride.delete({ where: { id: override.id } }),
    /** As this version stores it, or as the one before. */
    async tell(visibility_before?: { target: string; overrides: Record<string, "deny"> }) {
      const deleted = { channel_id, override_id: override.id };
      await publish(messaging, "CHANNEL_OVERRIDE_DELETE", { server_id }, deleted, { visibility_before });
    },
    before: { target: userId, overrides: { [channel_id]: "deny" as const } },
  };
}

describe("a replay by the rights of then", () => {
  test("has nothing of a channel from before it was shown, also when that happens while the replay waits", async () => {
    const { ownerId, userId, place, s, show, tell, before } = await createScene();
    const [, node] = stage.nodes;
    const witness = await connectNumbered(node, ownerId);
    await stage.post(place, "hidden");
    await witness.receive("MESSAGE_CREATE");
    const target = { server_id: place.server_id };
    await publish(node.messaging, "ROLE_DELETE", target, { ...target, role_id: place.server_id });
    await witness.receive("ROLE_DELETE");
    const { permissionReloads } = node.metrics;
    const release = await holdRoles(stage.nodes[0]);
    const client = openNumbered(node, userId, s);
    await waitUntil(() => node.metrics.permissionReloads > permissionReloads, {
      what: "the replay to read the rights",
    });
    const { eventsReceived } = node.metrics;
    await show();
    await tell(before);
    await waitUntil(() => node.metrics.eventsReceived > eventsReceived, { what: "the event of the change" });
    await release();
    const resumed = await client.receive("RESUMED");
    // The deletion of the role.
    expect(resumed.d.replayed).toBe(1);
    await stage.post(place, "visible");
    await client.receive("MESSAGE_CREATE", (d) => d.content === "visible");
    expect(contentsOf(client.frames)).toEqual(["visible"]);
    await client.close();
    await witness.close();
  });

  test("takes what a change of the version before this one changed for visible all the time", async () => {
    const { userId, place, s, show, tell } = await createScene();
    await stage.post(place, "before");
    await show();
    await tell();
    await stage.post(place, "after");
    for (const node of stage.nodes) {
      const { client, answer } = await continueAt(node, userId, s);
      expect(answer.t).toBe("RESUMED");
      expect(contentsOf(client.frames)).toEqual(["before", "after"]);
      await client.close();
    }
  });

  test("is the same when the client does not ask for the events of the changes", async () => {
    const { userId, place, show, tell, before } = await createScene();
    const query = "&events=MESSAGE_CREATE";
    const client = await connectNumbered(stage.nodes[0], userId, query);
    await client.close();
    await stage.post(place, "before");
    await show();
    await tell(before);
    await stage.post(place, "after");
    const { client: again, answer } = await continueAt(stage.nodes[1], userId, lastCursor(client), query);
    expect(answer).toMatchObject({ t: "RESUMED", d: { replayed: 1 } });
    expect(contentsOf(again.frames)).toEqual(["after"]);
    await again.close();
  });
});
