import { type ReactNode, useEffect } from "react";
import { useLocation } from "wouter";
import { usePageState } from "../../state/use-page.js";
import { texts } from "../../texts/texts.js";
import { Drawer } from "../../ui/drawer.js";
import { useIsNarrow } from "../../ui/use-media.js";
import { CallPanel } from "../voice/call-panel.js";
import { useLayout } from "./layout.js";
import { OwnPanel } from "./own-panel.js";
import { ServerRail } from "./server-rail.js";
import styles from "./shell.module.css";

/** The frame of everything but settings: servers, a list of channels, and what is open. */
export function Shell({ list, children }: { list: ReactNode; children: ReactNode }) {
  const isNarrow = useIsNarrow();
  const { isNavigationOpen, showNavigation } = useLayout();
  const [location] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: going somewhere closes the drawer.
  useEffect(() => showNavigation(false), [location, showNavigation]);
  const navigation = (
    <>
      <ServerRail />
      <div className={styles.sidebar}>
        {list}
        <CallPanel />
        <OwnPanel />
      </div>
    </>
  );
  return (
    <div className={styles.page}>
      <ConnectionLine />
      <div className={styles.columns}>
        {isNarrow ? (
          <Drawer open={isNavigationOpen} onOpenChange={showNavigation} side="start" title={texts.shell.openNavigation}>
            {navigation}
          </Drawer>
        ) : (
          navigation
        )}
        <main className={styles.main}>{children}</main>
      </div>
    </div>
  );
}

function ConnectionLine() {
  const connection = usePageState((state) => state.connection);
  return (
    <div role="status" className={styles.connection} data-shown={connection === "lost"}>
      {connection === "lost" ? texts.shell.lost : null}
    </div>
  );
}
