import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { useStore } from "zustand";
import { useSession } from "../../session/session.js";
import type { AppState } from "../store/app-state.js";
import { type App, createApp } from "./app.js";

const AppContext = createContext<App | null>(null);

/** Keeps a connection while a user is logged in. */
export function AppProvider({ children }: { children: ReactNode }) {
  const { client } = useSession();
  const [app, setPage] = useState<App | null>(null);
  useEffect(() => {
    const created = createApp(client);
    created.connect();
    setPage(created);
    return () => created.close();
  }, [client]);
  return app === null ? null : <AppContext value={app}>{children}</AppContext>;
}

/** The state of the application, with the functions that read and change it. */
export function useApp(): App {
  const app = useContext(AppContext);
  if (app === null) throw new Error("There is no AppProvider above.");
  return app;
}

/** A part of the state; the component is rendered again when that part is another object. */
export function useAppState<Part>(select: (state: AppState) => Part): Part {
  return useStore(useApp().store, select);
}
