import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { useStore } from "zustand";
import { useSession } from "../session/session.js";
import { createPage, type Page } from "./page.js";
import type { PageState } from "./page-state.js";

const PageContext = createContext<Page | null>(null);

/** Keeps a connection while a user is logged in. */
export function PageProvider({ children }: { children: ReactNode }) {
  const { client } = useSession();
  const [page, setPage] = useState<Page | null>(null);
  useEffect(() => {
    const created = createPage(client);
    created.connect();
    setPage(created);
    return () => created.close();
  }, [client]);
  return page === null ? null : <PageContext value={page}>{children}</PageContext>;
}

/** The state of the page, with the functions that read and change it. */
export function usePage(): Page {
  const page = useContext(PageContext);
  if (page === null) throw new Error("There is no PageProvider above.");
  return page;
}

/** A part of the page's state; the component is rendered again when that part is another object. */
export function usePageState<Part>(select: (state: PageState) => Part): Part {
  return useStore(usePage().store, select);
}
