import { X } from "lucide-react";
import { type ReactNode, type TouchEvent, useEffect } from "react";
import { useLocation } from "wouter";
import { useInstallation } from "../../session/installation.js";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { Button, IconButton } from "../../ui/look/button.js";
import { useIsNarrow } from "../../ui/look/use-media.js";
import { Drawer, drawerWidth } from "../../ui/overlays/drawer.js";
import { followSwipe } from "../../ui/overlays/swipe.js";
import { lazyPart } from "../../ui/page/lazy-part.js";
import { changeToNewVersion, useNewVersion } from "../../ui/page/new-version.js";
import { useNotice } from "../../ui/page/notice.js";
import { useOnline } from "../../ui/page/use-online.js";
import { focusMessages } from "../shortcuts/regions.js";
import { CallPanel } from "../voice/lazy-call-panel.js";
import { useLayout } from "./layout.js";
import { OwnPanel } from "./own-panel.js";
import { ServerRail } from "./server-rail.js";
import styles from "./shell.module.css";

// Few installations ask.
const TermsQuestion = lazyPart(async () => (await import("./terms-question.js")).TermsQuestion, {
  // The next start asks again.
  missing: () => null,
});

/** The frame of all pages except settings: servers, a list of channels, and the open page. */
export function Shell({ list, children }: { list: ReactNode; children: ReactNode }) {
  const isNarrow = useIsNarrow();
  const { isNavigationOpen, showNavigation } = useLayout();
  const [location] = useLocation();
  const hasTerms = (useInstallation(useApp().client)?.terms_url ?? null) !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a navigation closes the drawer.
  useEffect(() => {
    showNavigation(false);
  }, [location, showNavigation]);
  const follow = ({ nativeEvent, currentTarget, target }: TouchEvent<HTMLElement>) => {
    // Dialogs are children for React, but not in the page.
    if (!(target instanceof Node) || !currentTarget.contains(target)) return;
    followSwipe(nativeEvent, {
      side: "start",
      isOpen: false,
      width: drawerWidth(),
      onBegin: () => showNavigation(true),
      onEnd: showNavigation,
    });
  };
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
      <button type="button" className={styles.skip} onClick={focusMessages}>
        {texts.shell.skipToMessages}
      </button>
      <ConnectionLine />
      <NoticeLine />
      <VersionLine />
      {hasTerms ? <TermsQuestion /> : null}
      <div className={styles.columns}>
        {isNarrow ? (
          <Drawer open={isNavigationOpen} onOpenChange={showNavigation} side="start" title={texts.shell.openNavigation}>
            {/* The link of the open page leads nowhere new, and closes it, too. */}
            {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: The links are what is pressed. */}
            <div className={styles.drawer} onClick={({ target }) => isLink(target) && showNavigation(false)}>
              {navigation}
            </div>
          </Drawer>
        ) : (
          navigation
        )}
        <main className={styles.main} onTouchStart={isNarrow ? follow : undefined}>
          {children}
        </main>
      </div>
    </div>
  );
}

const isLink = (target: EventTarget): boolean => target instanceof Element && target.closest("a[href]") !== null;

/** Time for which a notice is shown: long enough to read it twice. */
const noticeMs = 12_000;

function NoticeLine() {
  const { text, show } = useNotice();
  useEffect(() => {
    if (text === null) return;
    const timer = setTimeout(() => show(null), noticeMs);
    return () => clearTimeout(timer);
  }, [text, show]);
  return (
    <div role="status" className={styles.notice} data-shown={text !== null}>
      {text === null ? null : (
        <>
          <bdi>{text}</bdi>
          <IconButton label={texts.common.close} onClick={() => show(null)}>
            <X size={16} aria-hidden />
          </IconButton>
        </>
      )}
    </div>
  );
}

function ConnectionLine() {
  const isAway = useAppState((state) => state.connection === "lost");
  const isOffline = !useOnline();
  return (
    <div role="status" className={styles.connection} data-shown={isOffline || isAway}>
      {isOffline ? texts.shell.offline : isAway ? texts.shell.lost : null}
    </div>
  );
}

function VersionLine() {
  const isWaiting = useNewVersion(({ waiting }) => waiting !== null);
  return (
    <div role="status" className={styles.notice} data-shown={isWaiting}>
      {isWaiting ? (
        <>
          {texts.shell.newVersion}
          <Button kind="quiet" onClick={changeToNewVersion}>
            {texts.shell.useNewVersion}
          </Button>
        </>
      ) : null}
    </div>
  );
}
