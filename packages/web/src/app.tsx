import { Route, Router, Switch, useLocation } from "wouter";
import { Login } from "./screens/login/login.js";
import { Register } from "./screens/login/register.js";
import { ResetPassword } from "./screens/login/reset-password.js";
import { Broken } from "./screens/shell/broken.js";
import { SessionProvider, useSession } from "./session/session.js";
import { ErrorBoundary } from "./ui/error-boundary.js";
import { lazyPart } from "./ui/lazy-part.js";
import { LoadingPage } from "./ui/loading.js";

const Screens = lazyPart(async () => (await import("./screens.js")).Screens, {
  waiting: () => <LoadingPage />,
});

/** The root component: shows the screen of the address, or the login. */
export function App() {
  return (
    <SessionProvider>
      <Router base="/app">
        <Start />
      </Router>
    </SessionProvider>
  );
}

function Start() {
  const { isOpen } = useSession();
  const [path] = useLocation();
  if (!isOpen) {
    return (
      <Switch>
        <Route path="/register" component={Register} />
        <Route path="/reset-password" component={ResetPassword} />
        <Route component={Login} />
      </Switch>
    );
  }
  return (
    <ErrorBoundary place={path} broken={<Broken />}>
      <Screens />
    </ErrorBoundary>
  );
}
