import type { PresenceStatus } from "@parley/client";
import type { AppStore } from "../store/app-store.js";

/** Without input for this long a user is away. */
export const idleMsMax = 5 * 60_000;
/** Further inputs within this time are not told to the other tabs. */
const tellMs = 10_000;
/** A tab that becomes hidden waits this long for a visible one to answer: another tab may take its place. */
const answerMs = 1_000;
/** A chosen status has two events; this long after the first one the second has come. */
const settledMs = 3_000;

const inputs = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"] as const;

/**
 * What tabs of one browser tell each other: that the user is there, the question whether they are, and that they were
 * made away or not any more.
 */
type Said = "here" | "anybody" | "away" | "back";

/** Makes a user away who is not there, and online again (the specification's states, Presence). */
export interface Absence {
  /** Follows inputs and whether the tab is visible; the function that is returned ends that. */
  follow(): () => void;
  /** To be called once the account has another status: one that was chosen stays. */
  chosen(): void;
  /** To be called for each presence. */
  seen(presence: { user_id: string; status: PresenceStatus }): void;
  /** To be called when a connection has begun. */
  connected(): void;
}

/**
 * Makes {@link Absence}: a user who is online is away after {@link idleMsMax} without input, or while no tab is visible.
 *
 * @param setStatus sends a status of the user
 */
export function createAbsence(store: AppStore, setStatus: (status: "online" | "away") => void): Absence {
  const tabs = new BroadcastChannel("parley.presence");
  const tell = (said: Said) => tabs.postMessage(said);
  let isAway = false;
  let toldAt = Number.NEGATIVE_INFINITY;
  let seenAwayAt = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const isVisible = () => document.visibilityState === "visible";
  const wait = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(leave, ms);
  };
  const leave = () => {
    const { me, presence, connection } = store.getState();
    if (isAway || me === null || connection !== "connected") return;
    if ((presence[me.id]?.status ?? me.status) !== "online") return;
    isAway = true;
    setStatus("away");
    tell("away");
  };
  /** Another device has made the user away: by a choice the account itself would have this status, too. */
  const isAwayElsewhere = () => {
    const { me, presence } = store.getState();
    const isOver = me !== null && me.status === "online" && presence[me.id]?.status === "away";
    return isOver && performance.now() - seenAwayAt > settledMs;
  };
  const arrive = () => {
    wait(idleMsMax);
    if (performance.now() - toldAt > tellMs) {
      toldAt = performance.now();
      tell("here");
    }
    if (!isAway && !isAwayElsewhere()) return;
    isAway = false;
    setStatus("online");
    tell("back");
  };
  const looked = () => {
    if (isVisible()) return arrive();
    wait(answerMs);
    tell("anybody");
  };
  tabs.onmessage = ({ data }: MessageEvent<Said>) => {
    if (data === "away" || data === "back") isAway = data === "away";
    if (data === "anybody" && isVisible()) tell("here");
    if (data === "here") wait(idleMsMax);
  };

  return {
    follow() {
      document.addEventListener("visibilitychange", looked);
      for (const name of inputs) addEventListener(name, arrive, { passive: true });
      wait(idleMsMax);
      return () => {
        clearTimeout(timer);
        tabs.close();
        document.removeEventListener("visibilitychange", looked);
        for (const name of inputs) removeEventListener(name, arrive);
      };
    },
    chosen() {
      isAway = false;
    },
    seen({ user_id, status }) {
      if (user_id === store.getState().me?.id && status === "away") seenAwayAt = performance.now();
    },
    connected() {
      if (!isVisible()) looked();
    },
  };
}
