import type { RegistrationMode } from "@parley/client";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { entrance, invitedWith, useDestination } from "../../session/destination.js";
import { useSession } from "../../session/session.js";
import { texts } from "../../texts/start-texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { onForm, textOf } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { TextField } from "../../ui/forms/field.js";
import { Button } from "../../ui/look/button.js";
import { Frame } from "./frame.js";
import styles from "./login.module.css";

/** Registers an account, by the registration mode of the instance. */
export function Register() {
  const { client, begin } = useSession();
  const [, navigate] = useLocation();
  const { wanted } = useDestination();
  const [mode, setMode] = useState<RegistrationMode["registration_mode"]>("open");
  useEffect(() => {
    client.instance.registrationMode().then(
      (answer) => setMode(answer.registration_mode),
      // Without an answer the form is shown, and the attempt to register shows the error.
      () => undefined,
    );
  }, [client]);
  useEffect(() => {
    client.instance.signIn().then(
      (methods) => {
        if (!methods.password) navigate(entrance("/login", wanted), { replace: true });
      },
      () => undefined,
    );
  }, [client, navigate, wanted]);
  const register = useAction(async (form: FormData) => {
    const email = textOf(form, "email");
    const inviteCode = textOf(form, "invite_code");
    await client.register({
      username: textOf(form, "username"),
      password: textOf(form, "password"),
      ...(email === "" ? {} : { email }),
      ...(inviteCode === "" ? {} : { invite_code: inviteCode }),
    });
    // A new user knows nobody here whose messages they would miss; the settings have the choice.
    await client.users.updateMe({ dms_from: "servers" }).catch(() => undefined);
    // The user can still accept the invite that their registration used up, also when they typed it here.
    if (inviteCode !== "") navigate(entrance("/register", `/invite/${inviteCode}`), { replace: true });
    begin();
  });
  return (
    <Frame title={texts.login.registerTitle}>
      {mode === "closed" ? (
        <p>{texts.login.closed}</p>
      ) : (
        <form onSubmit={onForm((form) => register.run(form))}>
          <TextField
            label={texts.login.username}
            name="username"
            autoComplete="username"
            hint={texts.login.usernameHint}
            required
            autoFocus
          />
          <TextField
            label={texts.login.password}
            name="password"
            type="password"
            autoComplete="new-password"
            hint={texts.login.passwordHint}
            required
          />
          <TextField label={texts.login.email} name="email" type="email" autoComplete="email" />
          {mode === "invite_only" ? (
            <TextField
              label={texts.login.inviteCode}
              name="invite_code"
              defaultValue={invitedWith(wanted) ?? ""}
              required
            />
          ) : null}
          <ErrorNote error={register.error} />
          <Button type="submit" disabled={register.isBusy} className={styles.submit}>
            {texts.login.registerSubmit}
          </Button>
        </form>
      )}
      <Button kind="quiet" className={styles.submit} onClick={() => navigate(entrance("/login", wanted))}>
        {texts.login.instead}
      </Button>
    </Frame>
  );
}
