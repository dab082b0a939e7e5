import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { useApp } from "../state/app/use-app.js";
import { lazyPart } from "../ui/page/lazy-part.js";
import { holdPage } from "../ui/page/reload.js";
import type { Call } from "./call.js";
import type { CallState } from "./call-state.js";
import type { Speaking } from "./levels.js";
import { noTracks } from "./tracks.js";
import { useTalkKey } from "./use-talk-key.js";

interface Calls {
  /** The call that this page is in. */
  call: Call | null;
  /** Joins a channel; a call elsewhere is left first. */
  join: (channelId: string) => Promise<void>;
}

/** Peers, media and signals: loaded when the first call is joined. */
const CallSound = lazyPart(async () => (await import("./call-sound.js")).CallSound);

const CallContext = createContext<Calls | null>(null);

/** Keeps the one call of the page, wherever the person goes in it. */
export function CallProvider({ children }: { children: ReactNode }) {
  const app = useApp();
  const [call, setCall] = useState<Call | null>(null);
  const current = useRef<Call | null>(null);
  const join = useCallback(
    async (channelId: string) => {
      const [{ joinCall }] = await Promise.all([import("./call.js"), current.current?.leave()]);
      const joined = await joinCall(app, channelId, () => {
        current.current = null;
        setCall(null);
      });
      current.current = joined;
      setCall(joined);
    },
    [app],
  );
  useEffect(() => () => void current.current?.leave().catch(() => undefined), []);
  useEffect(() => {
    if (call !== null) return holdPage();
  }, [call]);
  useTalkKey(call);
  const calls = useMemo(() => ({ call, join }), [call, join]);
  return (
    <CallContext value={calls}>
      {children}
      {call === null ? null : <CallSound call={call} />}
    </CallContext>
  );
}

/** The call of the page, and how one is joined. */
export function useCalls(): Calls {
  const calls = useContext(CallContext);
  if (calls === null) throw new Error("There is no CallProvider above.");
  return calls;
}

/** A part of a call's state. */
export function useCallState<Part>(call: Call, select: (state: CallState) => Part): Part {
  return useStore(call.state, select);
}

/** The state without a call. */
const idle = createStore<CallState>(() => ({
  channelId: "",
  ownId: "",
  local: noTracks,
  remote: {},
  speaking: {},
  isMuted: false,
  isDeafened: false,
  isTalking: false,
  deviceError: null,
}));
const silence: Speaking = {};

/** The users who speak in a channel; none unless this page is in its call. */
export function useSpeaking(channelId: string): Speaking {
  const { call } = useCalls();
  return useStore(call?.state ?? idle, (state) => (state.channelId === channelId ? state.speaking : silence));
}
