import { ParleyError, type RegistrationMode } from "@parley/client";
import { type FormEvent, useEffect, useState } from "react";
import { useLocation } from "wouter";
import { errorText } from "../../session/error-text.js";
import { useSession } from "../../session/session.js";
import { texts } from "../../texts/texts.js";
import { Button } from "../../ui/button.js";
import { TextField } from "../../ui/field.js";
import styles from "./login.module.css";

/** Logs in, with a second factor where the account has one. */
export function Login() {
  const { client, begin } = useSession();
  const [, navigate] = useLocation();
  const [needsCode, setNeedsCode] = useState(false);
  const { submit, error, isBusy } = useSubmit(async (form) => {
    try {
      const code = form.get("code");
      await client.login({
        username: textOf(form, "username"),
        password: textOf(form, "password"),
        ...(typeof code === "string" ? { code } : {}),
      });
      begin();
    } catch (failure) {
      if (failure instanceof ParleyError && failure.code === "Second factor required") return setNeedsCode(true);
      throw failure;
    }
  });
  return (
    <Frame title={texts.login.title}>
      <form onSubmit={submit}>
        <TextField label={texts.login.username} name="username" autoComplete="username" required autoFocus />
        <TextField
          label={texts.login.password}
          name="password"
          type="password"
          autoComplete="current-password"
          required
          error={needsCode ? null : error}
        />
        {needsCode ? (
          <TextField
            label={texts.login.code}
            name="code"
            autoComplete="one-time-code"
            inputMode="numeric"
            required
            autoFocus
            error={error}
          />
        ) : null}
        <Button type="submit" disabled={isBusy} className={styles.submit}>
          {texts.login.submit}
        </Button>
        <Button kind="quiet" className={styles.submit} onClick={() => navigate("/register")}>
          {texts.login.register}
        </Button>
      </form>
    </Frame>
  );
}

/** Registers an account, as far as the instance takes new ones. */
export function Register() {
  const { client, begin } = useSession();
  const [, navigate] = useLocation();
  const [mode, setMode] = useState<RegistrationMode["registration_mode"]>("open");
  useEffect(() => {
    client.instance.registrationMode().then(
      (answer) => setMode(answer.registration_mode),
      // Without an answer the form stands; registering says what is wrong.
      () => undefined,
    );
  }, [client]);
  const { submit, error, isBusy } = useSubmit(async (form) => {
    const email = textOf(form, "email");
    const inviteCode = textOf(form, "invite_code");
    await client.register({
      username: textOf(form, "username"),
      password: textOf(form, "password"),
      ...(email === "" ? {} : { email }),
      ...(inviteCode === "" ? {} : { invite_code: inviteCode }),
    });
    begin();
  });
  return (
    <Frame title={texts.login.registerTitle}>
      {mode === "closed" ? (
        <p>{texts.login.closed}</p>
      ) : (
        <form onSubmit={submit}>
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
          {mode === "invite_only" ? <TextField label={texts.login.inviteCode} name="invite_code" required /> : null}
          {error === null ? null : (
            <p role="alert" className={styles.error}>
              {error}
            </p>
          )}
          <Button type="submit" disabled={isBusy} className={styles.submit}>
            {texts.login.registerSubmit}
          </Button>
        </form>
      )}
      <Button kind="quiet" className={styles.submit} onClick={() => navigate("/login")}>
        {texts.login.instead}
      </Button>
    </Frame>
  );
}

function Frame({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <main className={styles.page}>
      <section className={styles.card} aria-labelledby="login-title">
        <h1 id="login-title" className={styles.title}>
          {title}
        </h1>
        {children}
      </section>
    </main>
  );
}

function useSubmit(send: (form: FormData) => Promise<void>) {
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await send(new FormData(event.currentTarget));
    } catch (failure) {
      setError(errorText(failure));
    } finally {
      setBusy(false);
    }
  };
  return { submit, error, isBusy };
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
