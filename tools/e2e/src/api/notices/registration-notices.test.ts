import { expect, test } from "vitest";
import { z } from "zod";
import { leaveNoAdministrator, registerAdmin, runSql } from "../stages/admin-stage.js";
import { usePushStage } from "../stages/push-stage.js";

const stage = usePushStage();

test("devices of administrators get a push of a registration that waits, and of none that was decided", async () => {
  const { client, stack } = stage;
  await leaveNoAdministrator(stack);
  const ada = await registerAdmin(client, stack.databaseUrl);
  const ben = await client.register();
  // An administrator by PARLEY_ADMINS.
  const cleo = await client.register();
  await runSql(stack.databaseUrl, "UPDATE users SET admin_by_setting = true WHERE id = $1", [cleo.user.id]);
  const [phone, tablet, listed, other] = [
    await stage.phoneOf(ada),
    await stage.phoneOf(ada),
    await stage.phoneOf(cleo),
    await stage.phoneOf(ben),
  ] as const;
  const approve = async (approval: boolean) =>
    expect((await ada.patch("/admin/settings", { registration: { approval } })).status).toBe(200);
  const register = async (name: string) => {
    const username = `${name}_${Math.random().toString(36).slice(2)}`;
    const answer = await client.post("/auth/register", { username, password: "12345678", application: "Please" });
    expect(answer.status).toBe(202);
    return username;
  };
  const List = z.looseObject({ registrations: z.array(z.looseObject({ user_id: z.string(), username: z.string() })) });
  const idOf = async (name: string) =>
    (await ada.get("/admin/registrations")).expect(200, List).registrations.find(({ username }) => username === name)
      ?.user_id;
  await approve(true);
  try {
    const first = await register("first");
    for (const device of [phone, tablet, listed]) {
      const push = await device.pushed(first);
      expect(push).toMatchObject({ title: "Registration waiting for approval", server_id: null, count: 1 });
      expect(push).toMatchObject({ url: "/app/admin/waiting", tag: push.channel_id });
    }
    expect((await phone.pushed(first)).message_id).toBe(await idOf(first));
    await stage.prolongPause(phone);
    const second = await register("second");
    expect((await ada.post(`/admin/registrations/${await idOf(second)}/approve`)).status).toBe(204);
  } finally {
    await approve(false);
    await runSql(stack.databaseUrl, "UPDATE users SET admin_by_setting = false WHERE id = $1", [cleo.user.id]);
  }
  await stage.makeDue(phone);
  for (const [user, device] of [
    [ada, phone],
    [ben, other],
  ] as const)
    await stage.settled(user, device);
  const noticesOf = (device: typeof phone) => device.messages().filter(({ url }) => url === "/app/admin/waiting");
  expect(noticesOf(phone)).toHaveLength(1);
  expect(noticesOf(other)).toEqual([]);
});
