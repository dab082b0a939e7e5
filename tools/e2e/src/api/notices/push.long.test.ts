import { connectGateway } from "@parley/testing";
import { expect, test } from "vitest";
import { openDirect, sendDirect, usePushStage } from "../stages/push-stage.js";

const stage = usePushStage();

test("an account with a connection gets pushes after five seconds, of later messages five seconds later, and of failed ones after five more", async () => {
  const [ann, bob] = [await stage.client.register(), await stage.client.register()];
  const { id } = await openDirect(bob, ann);
  const phone = await stage.phoneOf(ann);
  const socket = connectGateway(stage.stack.edgeUrl, ann.accessToken);
  await socket.ready;
  const sentAt = Date.now();
  await sendDirect(bob, id, "One");
  await phone.pushed("One");
  await socket.close();
  await sendDirect(bob, id, "Two");
  await phone.pushed("Two");
  stage.service.answer(phone.device, { status: 503 });
  await sendDirect(bob, id, "Three");
  const attempts = () => stage.service.pushes.filter(({ device }) => device === phone.device).map(({ at }) => at);
  await expect.poll(() => attempts().length).toBe(3);
  stage.service.answer(phone.device, null);
  await phone.pushed("Three");
  const times = [sentAt, ...attempts()];
  const pauses = times.slice(1).map((at, index) => at - (times[index] ?? 0));
  expect(pauses).toHaveLength(4);
  for (const pause of pauses) expect(pause).toBeGreaterThanOrEqual(4_990);
});
