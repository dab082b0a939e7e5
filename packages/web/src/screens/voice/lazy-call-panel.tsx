import { lazyPart } from "../../ui/page/lazy-part.js";
import type { Call } from "../../voice/call.js";
import { useCalls } from "../../voice/use-call.js";

const LoadedPanel = lazyPart<{ call: Call }>(async () => (await import("./call-panel.js")).CallPanel);

/** The channel of the current call, with its buttons; empty without a call. */
export function CallPanel() {
  const { call } = useCalls();
  return call === null ? null : <LoadedPanel call={call} />;
}
