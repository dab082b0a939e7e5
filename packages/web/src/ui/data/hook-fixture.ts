import { Window } from "happy-dom";
import { act, createElement, StrictMode } from "react";
import { onTestFinished, vi } from "vitest";

/** The component of the hook. */
function Host({ run }: { run: () => void }) {
  run();
  return null;
}

/** Runs a hook in a component of its own, for tests. */
export async function renderHook<Props, Result>(hook: (props: Props) => Result, initial: Props) {
  const window = new Window();
  vi.stubGlobal("window", window);
  vi.stubGlobal("document", window.document);
  vi.stubGlobal("navigator", window.navigator);
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  // Looks for the document when it is loaded.
  const { createRoot } = await import("react-dom/client");
  const results: Result[] = [];
  const root = createRoot(globalThis.document.createElement("div"));
  const render = (props: Props) =>
    act(async () =>
      root.render(createElement(StrictMode, null, createElement(Host, { run: () => results.push(hook(props)) }))),
    );
  const unmount = () => act(async () => root.unmount());
  onTestFinished(async () => {
    await unmount();
    await window.happyDOM.close();
    vi.unstubAllGlobals();
  });
  await render(initial);
  return {
    /** The result of the hook at the last rendering. */
    result(): Result {
      const last = results.at(-1);
      if (last === undefined) throw new Error("The hook has not run.");
      return last;
    },
    render,
    unmount,
  };
}

/** An answer that comes when the test gives it. */
export function heldAnswer<Value>() {
  let give: (value: Value) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const promise = new Promise<Value>((resolve, reject) => {
    give = resolve;
    fail = reject;
  });
  return {
    promise,
    give: (value: Value) => act(async () => give(value)),
    fail: (error: Error) => act(async () => fail(error)),
  };
}
