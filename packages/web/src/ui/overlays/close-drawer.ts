import { createContext, useContext } from "react";

/** Closes the drawer around; outside of one it does nothing. */
export const DrawerContext = createContext<() => void>(() => undefined);

/** Returns a function that closes the drawer around the caller; outside of one it does nothing. */
export const useCloseDrawer = (): (() => void) => useContext(DrawerContext);
