import { Redirect, Route, Router, Switch } from "wouter";
import { Login } from "./screens/login/login.js";
import { Register } from "./screens/login/register.js";
import { ResetPassword } from "./screens/login/reset-password.js";
import { SessionProvider, useSession } from "./session/session.js";

/** The whole application: what the address and the session say is shown. */
export function App() {
  return (
    <SessionProvider>
      <Router base="/app">
        <Screens />
      </Router>
    </SessionProvider>
  );
}

function Screens() {
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
  return <Redirect to="/" />;
}
