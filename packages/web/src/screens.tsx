import { DirectionProvider } from "radix-ui/direction";
import { type ReactNode, useEffect } from "react";
import { Redirect, Route, Router, Switch, useLocation } from "wouter";
import { lastPath } from "./device/device-storage.js";
import { ModalHost } from "./screens/apps/modal-host.js";
import { DirectScreen } from "./screens/conversation/screen/direct-screen.js";
import { ServerScreen } from "./screens/conversation/screen/server-screen.js";
import { OpenDialogHost } from "./screens/dialogs/open-dialog-host.js";
import { QuickSwitcher } from "./screens/quick-switcher/quick-switcher.js";
import { SearchHost } from "./screens/search/search-host.js";
import { DirectList } from "./screens/shell/direct-list.js";
import { Home } from "./screens/shell/home.js";
import { Shell } from "./screens/shell/shell.js";
import { useNotices } from "./screens/shell/use-notices.js";
import { useNotifications } from "./screens/shell/use-notifications.js";
import { useShortcuts } from "./screens/shortcuts/use-shortcuts.js";
import { AppProvider, useAppState } from "./state/app/use-app.js";
import type { AppState } from "./state/store/app-state.js";
import { direction, texts } from "./texts/texts.js";
import { LoadingPage } from "./ui/data/loading.js";
import { guardedNavigation, useGuardedLocation } from "./ui/forms/leave-guard.js";
import { SettingsFrame } from "./ui/forms/settings-frame.js";
import { lazyPart } from "./ui/page/lazy-part.js";
import { keepVersion } from "./ui/page/new-version.js";
import { useNotice } from "./ui/page/notice.js";
import { CallProvider } from "./voice/use-call.js";

const inSettings = {
  waiting: () => <SettingsFrame />,
  missing: (_: object, note: ReactNode) => <SettingsFrame>{note}</SettingsFrame>,
};
const Account = lazyPart(async () => (await import("./screens/account/account.js")).Account, inSettings);
// Few installations demand it.
const FactorGate = lazyPart(async () => (await import("./screens/account/factor-gate.js")).FactorGate, inSettings);
const ServerSettings = lazyPart(
  async () => (await import("./screens/server-settings/server-settings.js")).ServerSettings,
  inSettings,
);
const FriendsPage = lazyPart(async () => (await import("./screens/people/friends-page.js")).FriendsPage);
const InboxPage = lazyPart(async () => (await import("./screens/inbox/inbox-page.js")).InboxPage);
const Browse = lazyPart(async () => (await import("./screens/browse/browse.js")).Browse);
const Invite = lazyPart(async () => (await import("./screens/invite/invite.js")).Invite);
const AddBot = lazyPart(async () => (await import("./screens/add-bot/add-bot.js")).AddBot);
const Administration = lazyPart(
  async () => (await import("./screens/administration/administration.js")).Administration,
  inSettings,
);

export { loadTexts } from "./texts/texts.js";

/** The screens of a logged-in user, by address. */
export function Screens() {
  return (
    <Router base="/app" hook={useGuardedLocation} aroundNav={guardedNavigation}>
      <AppProvider>
        <DirectionProvider dir={direction}>
          <CallProvider>
            <Addressed />
          </CallProvider>
          <QuickSwitcher />
          <SearchHost />
          <OpenDialogHost />
          <ModalHost />
          <Notifications />
          <LastPath />
          <Shortcuts />
          <WantedSoon />
        </DirectionProvider>
      </AppProvider>
    </Router>
  );
}

/** The screen of the address, unless the account has to set up a second factor first. */
function Addressed() {
  const needsFactor = useAppState((state) => state.needsFactor);
  if (needsFactor) return <FactorGate />;
  return (
    <Switch>
      <Route path="/account/*?" component={Account} />
      <Route path="/admin/*?" component={Administration} />
      <Route path="/servers/:serverId/channels/:channelId/:messageId?">
        {({ serverId, channelId, messageId }) => (
          <ServerScreen serverId={serverId} channelId={channelId} messageId={messageId ?? null} />
        )}
      </Route>
      <Route path="/servers/:serverId/settings/*?">{({ serverId }) => <ServerSettings serverId={serverId} />}</Route>
      <Route path="/servers/:serverId">
        {({ serverId }) => <ServerScreen serverId={serverId} channelId={null} messageId={null} />}
      </Route>
      <Route path="/dm/:channelId/:messageId?">
        {({ channelId, messageId }) => (
          <Direct>
            <DirectScreen key={channelId} channelId={channelId} messageId={messageId ?? null} />
          </Direct>
        )}
      </Route>
      <Route path="/dm" component={Home} />
      <Route path="/friends">
        <Direct>
          <FriendsPage />
        </Direct>
      </Route>
      <Route path="/inbox/*?">
        <Direct>
          <InboxPage />
        </Direct>
      </Route>
      <Route path="/browse">
        <Direct>
          <Browse />
        </Direct>
      </Route>
      <Route path="/invite/:code">{({ code }) => <Invite code={code} />}</Route>
      <Route path="/add-bot/:botId">{({ botId }) => <AddBot key={botId} botId={botId} />}</Route>
      <Route>
        <Start />
      </Route>
    </Switch>
  );
}

function Direct({ children }: { children: ReactNode }) {
  return <Shell list={<DirectList />}>{children}</Shell>;
}

/** Leads to where the user was last, or to a server. */
function Start() {
  const first = useAppState((state) => state.servers[0]?.id);
  const isKnown = useAppState((state) => state.me !== null);
  const last = lastPath.read();
  const isOpen = useAppState((state) => isThere(state, last));
  // Before the servers are known, the last path begins to be read; it leads here again if it is no longer there.
  if (last !== null && (!isKnown || isOpen)) return <Redirect to={last} replace />;
  if (!isKnown) return <LoadingPage />;
  return <Redirect to={first === undefined ? "/dm" : `/servers/${first}`} replace />;
}

/** Whether the user is still in the server that the path leads to. */
function isThere({ servers }: AppState, path: string | null): boolean {
  const serverId = path?.match(/^\/servers\/([^/]+)/)?.[1];
  return path !== null && (serverId === undefined || servers.some(({ id }) => id === serverId));
}

function Notifications() {
  useNotifications();
  useNotices();
  const removal = useAppState((state) => state.removal);
  const show = useNotice((notice) => notice.show);
  useEffect(() => {
    if (removal !== null) show(texts.shell.removed[removal.how](removal.serverName, removal.reason));
  }, [removal, show]);
  return null;
}

/** After which time it is loaded, also when no channel is shown, in milliseconds. */
const shownMsMax = 5_000;

/** Loads parts that are needed soon, but not beside the requests of the first screen. */
function WantedSoon() {
  const isShown = useAppState(({ histories }) => Object.keys(histories).length > 0);
  useEffect(() => {
    const load = () => {
      // A part that opens loads it if this has failed.
      import("./ui/overlays/overlays.js").catch(() => undefined);
      keepVersion().catch(() => undefined);
    };
    const timer = isShown ? null : setTimeout(load, shownMsMax);
    if (isShown) (globalThis.requestIdleCallback ?? setTimeout)(load);
    return () => clearTimeout(timer ?? undefined);
  }, [isShown]);
  return null;
}

function Shortcuts() {
  useShortcuts();
  return null;
}

function LastPath() {
  const [path] = useLocation();
  useEffect(() => {
    if (/^\/(?:servers|dm)\b/.test(path) && !path.includes("/settings")) lastPath.write(path);
  }, [path]);
  return null;
}
