import { createBrowserTokenStore, createClient, type ParleyClient } from "@parley/client";
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from "react";
import { sessionEnd } from "../device/device-storage.js";
import { language } from "../texts/start-texts.js";
import { PageSocket } from "./page-socket.js";

interface Session {
  client: ParleyClient;
  /** Whether a user is logged in. */
  isOpen: boolean;
  /** To be called once a login or registration succeeded. */
  begin: () => void;
}

const SessionContext = createContext<Session | null>(null);

/** Keeps the one client of the page. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState<boolean | null>(null);
  const client = useMemo(() => openClient(() => setOpen(false)), []);
  const begin = useCallback(() => {
    sessionEnd.write(null);
    setOpen(true);
  }, []);
  const session = useMemo(() => ({ client, isOpen: isOpen ?? client.tokens !== null, begin }), [client, isOpen, begin]);
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** The session of the page. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error("There is no SessionProvider above.");
  return session;
}

/** A client of the page's own origin; its session is that of all tabs and outlives a reload. */
function openClient(onSessionEnd: () => void): ParleyClient {
  return createClient({
    baseUrl: location.origin,
    tokenStore: createBrowserTokenStore(),
    WebSocket: PageSocket,
    // Mails that the request causes are in the language of the page, which may not be that of the browser.
    fetch: (input, init) => {
      const headers = new Headers(init?.headers);
      headers.set("accept-language", language);
      return fetch(input, { ...init, headers });
    },
    // Few, so that a user who waits for a message to be sent soon sees its failure, and decides.
    retries: 4,
    onTokens: (tokens, refusal) => {
      if (tokens !== null) return;
      if (refusal !== undefined) sessionEnd.write(refusal.status === 403 ? "disabled" : "ended");
      onSessionEnd();
    },
  });
}
