import { useEffect } from "react";
import { Redirect, Route, Router, Switch, useLocation } from "wouter";
import { Login } from "./screens/login/login.js";
import { Broken } from "./screens/shell/broken.js";
import { useDestination } from "./session/destination.js";
import { SessionProvider, useSession } from "./session/session.js";
import { languages } from "./texts/languages.js";
import { language } from "./texts/start-texts.js";
import { LoadingPage } from "./ui/data/loading.js";
import { keepInputMethodKeys } from "./ui/forms/input-method.js";
import { useLanguage } from "./ui/look/use-language.js";
import { ErrorBoundary } from "./ui/page/error-boundary.js";
import { lazyPart } from "./ui/page/lazy-part.js";

const Screens = lazyPart(
  async () => {
    // At the same time; the texts are put into use by the script of the screens.
    const [screens] = await Promise.all([import("./screens.js"), languages[language].scripts?.screens()]);
    await screens.loadTexts();
    return screens.Screens;
  },
  { waiting: () => <LoadingPage /> },
);

// Most people who come to the login have an account, and its password.
const Register = lazyPart(async () => (await import("./screens/login/register.js")).Register, {
  waiting: () => <LoadingPage />,
});

const ResetPassword = lazyPart(async () => (await import("./screens/login/reset-password.js")).ResetPassword, {
  waiting: () => <LoadingPage />,
});

const InviteForStrangers = lazyPart(
  async () => (await import("./screens/invite/invite-for-strangers.js")).InviteForStrangers,
  { waiting: () => <LoadingPage /> },
);

/** The root component: shows the screen of the address, or the login. */
export function Root() {
  // Renders the whole page again when the language changes, and keeps typed text.
  useLanguage();
  useEffect(() => {
    return keepInputMethodKeys(window);
  }, []);
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
  return (
    <ErrorBoundary path={path} broken={<Broken />}>
      {isOpen ? <Inside /> : <Outside />}
    </ErrorBoundary>
  );
}

function Inside() {
  const { isAtEntrance, wanted } = useDestination();
  return isAtEntrance ? <Redirect to={wanted ?? "/"} replace /> : <Screens />;
}

function Outside() {
  return (
    <Switch>
      <Route path="/register" component={Register} />
      <Route path="/reset-password" component={ResetPassword} />
      <Route path="/invite/:code">{({ code }) => <InviteForStrangers code={code} />}</Route>
      <Route component={Login} />
    </Switch>
  );
}
