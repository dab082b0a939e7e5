import { useEffect, useState } from "react";
import { useAppState } from "../../../state/app/use-app.js";
import { isSlowModeKnown, slowModeEnd } from "../../../state/conversations/slow-mode.js";
import { useConversation } from "../context.js";

const tickMs = 250;

/**
 * Seconds until the user may write here again, 0 for now; and whether the composer sends nothing until then, or until
 * it knows the wait.
 */
export function useSlowMode(): { waitSeconds: number; isHeld: boolean } {
  const { place } = useConversation();
  const end = useAppState((state) => (place.kind === "channel" ? slowModeEnd(state, place.id) : 0));
  // A clock that is behind the server's must not keep the user waiting for longer than the channel is slow.
  const secondsMax = useAppState((state) => state.channels[place.id]?.slow_mode_seconds ?? 0);
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    setNow(Date.now());
    if (end <= Date.now()) return;
    const timer = setInterval(() => {
      setNow(Date.now());
      if (end <= Date.now()) clearInterval(timer);
    }, tickMs);
    return () => clearInterval(timer);
  }, [end]);
  const isKnown = useAppState((state) => place.kind !== "channel" || isSlowModeKnown(state, place.id));
  const waitSeconds = Math.min(Math.max(Math.ceil((end - now) / 1_000), 0), secondsMax);
  return { waitSeconds, isHeld: !isKnown || waitSeconds > 0 };
}
