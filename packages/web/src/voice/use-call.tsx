import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import { holdPage } from "../session/reload.js";
import { usePage } from "../state/use-page.js";
import { type Call, type CallState, joinCall } from "./call.js";

interface Calls {
  /** The call that this page is in. */
  call: Call | null;
  /** Joins a channel; a call elsewhere is left first. */
  join: (channelId: string) => Promise<void>;
}

const CallContext = createContext<Calls | null>(null);

/** Keeps the one call of the page, wherever the person goes in it. */
export function CallProvider({ children }: { children: ReactNode }) {
  const page = usePage();
  const [call, setCall] = useState<Call | null>(null);
  const current = useRef<Call | null>(null);
  const join = useCallback(
    async (channelId: string) => {
      await current.current?.leave();
      const joined = await joinCall(page, channelId, () => {
        current.current = null;
        setCall(null);
      });
      current.current = joined;
      setCall(joined);
    },
    [page],
  );
  useEffect(() => () => void current.current?.leave().catch(() => undefined), []);
  useEffect(() => (call === null ? undefined : holdPage()), [call]);
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

/** A part of what is known of a call. */
export function useCallState<Part>(call: Call, select: (state: CallState) => Part): Part {
  return useStore(call.state, select);
}

/** Plays the sound of all participants. */
function CallSound({ call }: { call: Call }) {
  const remote = useCallState(call, (state) => state.remote);
  const isDeafened = useCallState(call, (state) => state.isDeafened);
  return Object.entries(remote).flatMap(([userId, { microphone, screenSound }]) =>
    [microphone, screenSound].flatMap((track) =>
      track === null ? [] : <Sound key={`${userId} ${track.id}`} track={track} isMuted={isDeafened} />,
    ),
  );
}

function Sound({ track, isMuted }: { track: MediaStreamTrack; isMuted: boolean }) {
  const element = useRef<HTMLAudioElement>(null);
  useEffect(() => {
    if (element.current !== null) element.current.srcObject = new MediaStream([track]);
  }, [track]);
  return <audio ref={element} autoPlay muted={isMuted} />;
}
