import { act } from "react";
import { expect, test } from "vitest";
import { InputError } from "../../texts/error-text.js";
import { heldAnswer, renderHook } from "./hook-fixture.js";
import { useAction } from "./use-action.js";

test("an action is busy until all that was begun has ended", async () => {
  const [first, second] = [heldAnswer<void>(), heldAnswer<void>()];
  const hook = await renderHook(useAction<[answer: Promise<void>]>, (answer: Promise<void>) => answer);
  expect(hook.result().isBusy).toBe(false);
  await act(async () => void hook.result().run(first.promise));
  await act(async () => void hook.result().run(second.promise));
  await first.give();
  expect(hook.result().isBusy).toBe(true);
  await second.give();
  expect(hook.result().isBusy).toBe(false);
});

test("a failure is shown and not thrown, until it is cleared or the action begins again", async () => {
  const hook = await renderHook(useAction<[answer: Promise<void>]>, (answer: Promise<void>) => answer);
  const refused = Promise.reject(new InputError("Too long"));
  let outcome: boolean | undefined;
  await act(async () => {
    outcome = await hook.result().run(refused);
  });
  expect(outcome).toBe(false);
  expect(hook.result()).toMatchObject({ error: "Too long", isBusy: false });
  await act(async () => hook.result().clear());
  expect(hook.result().error).toBeNull();
  await act(async () => void (await hook.result().run(refused)));
  const again = heldAnswer<void>();
  await act(async () => void hook.result().run(again.promise));
  expect(hook.result()).toMatchObject({ error: null, isBusy: true });
  await again.give();
});

test("an action that ends after its component is gone disturbs nothing", async () => {
  const late = heldAnswer<void>();
  const hook = await renderHook(useAction<[answer: Promise<void>]>, (answer: Promise<void>) => answer);
  let running: Promise<boolean> | undefined;
  await act(async () => {
    running = hook.result().run(late.promise);
  });
  await hook.unmount();
  await late.fail(new InputError("Too late"));
  expect(await running).toBe(false);
});
