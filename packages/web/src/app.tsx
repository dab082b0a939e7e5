import { Redirect, Route, Router, Switch } from "wouter";
import { Login, Register } from "./screens/login/login.js";
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
        <Route component={Login} />
      </Switch>
    );
  }
  return <Redirect to="/" />;
}
