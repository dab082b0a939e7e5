import { useEffect } from "react";
import { useLocation } from "wouter";
import { useApp } from "../../state/app/use-app.js";
import type { NoticeRequest } from "../../state/notices/notice-request.js";

/** Runs the action that the user chose in a notification of the service worker (src/worker/notices.ts). */
export function useNotices(): void {
  const { push, readState } = useApp();
  const [, navigate] = useLocation();
  useEffect(() => {
    const { serviceWorker } = navigator;
    const answer = ({ data }: MessageEvent<NoticeRequest | undefined>) => {
      if (data?.kind === "open") navigate(data.path);
      if (data?.kind === "renew") void push.renew().catch(() => undefined);
      if (data?.kind === "read") {
        readState.markRead({ kind: data.isDirect ? "direct" : "channel", id: data.channelId }, data.messageId);
      }
    };
    serviceWorker?.addEventListener("message", answer);
    return () => serviceWorker?.removeEventListener("message", answer);
  }, [push, readState, navigate]);
}
