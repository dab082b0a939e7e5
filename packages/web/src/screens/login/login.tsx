import type { SignInMethods } from "@parley/client";
import { ParleyError } from "@parley/client";
import { useEffect, useState, useSyncExternalStore } from "react";
import { useLocation } from "wouter";
import { sessionEnd } from "../../device/device-storage.js";
import { entrance, useDestination } from "../../session/destination.js";
import { useInstallationName } from "../../session/installation.js";
import { useSession } from "../../session/session.js";
import { texts } from "../../texts/start-texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { onForm, textOf } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { TextField } from "../../ui/forms/field.js";
import { Button } from "../../ui/look/button.js";
import { lazyPart } from "../../ui/page/lazy-part.js";
import { ConfirmAddress } from "./confirm-address.js";
import { Frame } from "./frame.js";
import styles from "./login.module.css";

// Not everybody has passkeys.
const PasskeyLogin = lazyPart(async () => (await import("./passkey-login.js")).PasskeyLogin, {
  // There is the password.
  missing: () => null,
});

// Nor has every installation a provider.
const SingleSignOn = lazyPart(async () => (await import("./single-sign-on.js")).SingleSignOn);

/** Logs in: by password, with a second factor where the account has one, or at the sign-in provider. */
export function Login() {
  const { client, begin } = useSession();
  const [, navigate] = useLocation();
  const { wanted } = useDestination();
  // Another tab may be the one that learns it.
  const end = useSyncExternalStore(sessionEnd.follow, sessionEnd.read);
  const name = useInstallationName(client);
  const [needsCode, setNeedsCode] = useState(false);
  const [isUnconfirmed, setUnconfirmed] = useState(false);
  const [methods, setMethods] = useState<SignInMethods | null>(null);
  useEffect(() => {
    client.instance.signIn().then(
      setMethods,
      // Without an answer the form is shown, and the attempt to log in shows the error.
      () => undefined,
    );
  }, [client]);
  const login = useAction(async (form: FormData) => {
    try {
      const code = textOf(form, "code");
      await client.login({
        username: textOf(form, "username"),
        password: textOf(form, "password"),
        ...(code === "" ? {} : { code }),
      });
      begin();
    } catch (failure) {
      if (failure instanceof ParleyError && failure.code === "second_factor_required") return setNeedsCode(true);
      setUnconfirmed(failure instanceof ParleyError && failure.code === "email_unconfirmed");
      throw failure;
    }
  });
  return (
    <Frame title={texts.login.title(name)}>
      {end === null ? null : (
        <p role="status" className={styles.reason}>
          {texts.login.ends[end]}
        </p>
      )}
      {methods?.oidc == null ? null : <SingleSignOn name={methods.oidc.name} hasPassword={methods.password} />}
      {methods?.password === false ? null : (
        <>
          {isUnconfirmed ? <ConfirmAddress onDone={() => setUnconfirmed(false)} /> : null}
          <form onSubmit={onForm((form) => login.run(form))}>
            <TextField label={texts.login.username} name="username" autoComplete="username" required autoFocus />
            <TextField
              label={texts.login.password}
              name="password"
              type="password"
              autoComplete="current-password"
              required
            />
            {needsCode ? (
              <TextField
                label={texts.login.code}
                name="code"
                autoComplete="one-time-code"
                inputMode="numeric"
                required
                autoFocus
              />
            ) : null}
            <ErrorNote error={login.error} />
            <Button type="submit" disabled={login.isBusy} className={styles.submit}>
              {texts.login.submit}
            </Button>
            {methods?.passkeys === true ? <PasskeyLogin needsCode={needsCode} /> : null}
          </form>
          <Button kind="quiet" className={styles.submit} onClick={() => navigate(entrance("/register", wanted))}>
            {texts.login.register}
          </Button>
          <button type="button" className={styles.forgot} onClick={() => navigate(entrance("/reset-password", wanted))}>
            {texts.login.forgot}
          </button>
        </>
      )}
    </Frame>
  );
}
