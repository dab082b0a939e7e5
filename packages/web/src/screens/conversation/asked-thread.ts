import { useEffect } from "react";
import { create } from "zustand";

interface Asked {
  channelId: string;
  rootId: string;
}

/** The thread that is to be opened once its channel is there; null when there is none. */
export const useThreadRequest = create<{ asked: Asked | null }>(() => ({ asked: null }));

/** Opens the thread that was asked for from another channel. */
export function useAskedThread(channelId: string, openThread: (rootId: string) => void): void {
  const asked = useThreadRequest((request) => request.asked);
  useEffect(() => {
    if (asked?.channelId !== channelId) return;
    useThreadRequest.setState({ asked: null });
    openThread(asked.rootId);
  }, [asked, channelId, openThread]);
}
