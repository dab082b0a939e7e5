import { Suspense } from "react";
import { Route, Router, Switch } from "wouter";
import { Login } from "./screens/login/login.js";
import { Register } from "./screens/login/register.js";
import { ResetPassword } from "./screens/login/reset-password.js";
import { SessionProvider, useSession } from "./session/session.js";
import { lazyPart } from "./ui/lazy-part.js";

const Screens = lazyPart(async () => ({ default: (await import("./screens.js")).Screens }));

/** The whole application: what the address and the session say is shown. */
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
    <Suspense>
      <Screens />
    </Suspense>
  );
}
