import type { Gateway } from "@parley/client";

/**
 * Reports to the server which channels are on the screen, and whether the user looks at them: the server sends no push
 * for these.
 */
export interface View {
  /** Adds a channel whose messages are shown; the function that is returned removes it. */
  show(channelId: string): () => void;
  /** Follows whether somebody looks at the page; the function that is returned ends that. */
  follow(): () => void;
}

/** Makes {@link View}. The client says it again on every new connection. */
export function createView(gateway: Gateway): View {
  const shown: string[] = [];
  let said = JSON.stringify([[], false]);
  let isDue = false;

  const say = () => {
    isDue = false;
    const channelIds = [...new Set(shown)];
    const active = channelIds.length > 0 && document.visibilityState === "visible" && document.hasFocus();
    const next = JSON.stringify([channelIds, active]);
    if (next === said) return;
    said = next;
    gateway.view(channelIds, { active });
  };
  /** A screen takes the place of another one in several steps. */
  const sayOnce = () => {
    if (!isDue) queueMicrotask(say);
    isDue = true;
  };

  return {
    show(channelId) {
      shown.push(channelId);
      sayOnce();
      return () => {
        shown.splice(shown.indexOf(channelId), 1);
        sayOnce();
      };
    },
    follow() {
      document.addEventListener("visibilitychange", say);
      addEventListener("focus", say);
      addEventListener("blur", say);
      return () => {
        document.removeEventListener("visibilitychange", say);
        removeEventListener("focus", say);
        removeEventListener("blur", say);
      };
    },
  };
}
