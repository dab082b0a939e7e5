import { lazy, type ReactNode, Suspense, useEffect } from "react";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { Browse } from "./screens/browse/browse.js";
import { DirectScreen } from "./screens/conversation/direct-screen.js";
import { Invite } from "./screens/invite/invite.js";
import { QuickSwitcher } from "./screens/quick-switcher/quick-switcher.js";
import { DirectList } from "./screens/shell/direct-list.js";
import { Home } from "./screens/shell/home.js";
import { keepLastPath, lastPath } from "./screens/shell/last-place.js";
import { ServerScreen } from "./screens/shell/server-screen.js";
import { Shell } from "./screens/shell/shell.js";
import { useNotifications } from "./screens/shell/use-notifications.js";
import { PageProvider, usePageState } from "./state/use-page.js";
import { CallProvider } from "./voice/use-call.js";

const Account = lazy(async () => ({ default: (await import("./screens/account/account.js")).Account }));
const ServerSettings = lazy(async () => ({
  default: (await import("./screens/server-settings/server-settings.js")).ServerSettings,
}));
const Administration = lazy(async () => ({
  default: (await import("./screens/administration/administration.js")).Administration,
}));

/** What somebody who is logged in sees, by address. */
export function Screens() {
  return (
    <PageProvider>
      <CallProvider>
        <Suspense>
          <Switch>
            <Route path="/account/*?" component={Account} />
            <Route path="/admin/*?" component={Administration} />
            <Route path="/servers/:serverId/channels/:channelId/:messageId?">
              {({ serverId, channelId, messageId }) => (
                <ServerScreen serverId={serverId} channelId={channelId} messageId={messageId ?? null} />
              )}
            </Route>
            <Route path="/servers/:serverId/settings/*?">
              {({ serverId }) => <ServerSettings serverId={serverId} />}
            </Route>
            <Route path="/servers/:serverId">
              {({ serverId }) => <ServerScreen serverId={serverId} channelId={null} messageId={null} />}
            </Route>
            <Route path="/dm/:channelId">
              {({ channelId }) => (
                <Direct>
                  <DirectScreen key={channelId} channelId={channelId} />
                </Direct>
              )}
            </Route>
            <Route path="/dm" component={Home} />
            <Route path="/browse">
              <Direct>
                <Browse />
              </Direct>
            </Route>
            <Route path="/invite/:code">{({ code }) => <Invite code={code} />}</Route>
            <Route>
              <Start />
            </Route>
          </Switch>
        </Suspense>
      </CallProvider>
      <QuickSwitcher />
      <Notifications />
      <LastPath />
    </PageProvider>
  );
}

function Notifications() {
  useNotifications();
  return null;
}

function Direct({ children }: { children: ReactNode }) {
  return <Shell list={<DirectList />}>{children}</Shell>;
}

/** Leads to where the user was last, or to a server. */
function Start() {
  const first = usePageState((state) => state.servers[0]?.id);
  const isKnown = usePageState((state) => state.me !== null);
  const last = lastPath();
  if (last !== null) return <Redirect to={last} replace />;
  if (!isKnown) return null;
  return <Redirect to={first === undefined ? "/dm" : `/servers/${first}`} replace />;
}

function Notifications() {
  useNotifications();
  return null;
}

function LastPath() {
  const [path] = useLocation();
  useEffect(() => {
    if (/^\/(?:servers|dm)\b/.test(path) && !path.includes("/settings")) keepLastPath(path);
  }, [path]);
  return null;
}
