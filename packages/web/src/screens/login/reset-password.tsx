import { useState } from "react";
import { useLocation } from "wouter";
import { entrance, useDestination } from "../../session/destination.js";
import { useInstallation } from "../../session/installation.js";
import { useSession } from "../../session/session.js";
import { texts } from "../../texts/start-texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { onForm, textOf } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { TextField } from "../../ui/forms/field.js";
import { Button } from "../../ui/look/button.js";
import { Frame } from "./frame.js";
import styles from "./login.module.css";

/** Sets a new password with a token, from a mail or from an administrator. */
export function ResetPassword() {
  const { client } = useSession();
  const [, navigate] = useLocation();
  const { wanted } = useDestination();
  const [answer, setAnswer] = useState<string | null>(null);
  const [isDone, setDone] = useState(false);
  const needsProof = useInstallation(client)?.registration.challenge === true;
  const send = useAction(async (form: FormData) => {
    const proof = needsProof ? { altcha: await (await import("../../session/prove-work.js")).proveWork(client) } : {};
    setAnswer((await client.auth.requestPasswordReset({ email: textOf(form, "email"), ...proof })).message);
  });
  const reset = useAction(async (form: FormData) => {
    await client.auth.resetPassword({ token: textOf(form, "token").trim(), new_password: textOf(form, "password") });
    setDone(true);
  });
  return (
    <Frame title={texts.login.resetTitle}>
      {isDone ? (
        <p role="status">{texts.login.resetDone}</p>
      ) : (
        <>
          <form onSubmit={onForm((form) => send.run(form))}>
            <TextField
              label={texts.login.resetEmail}
              name="email"
              type="email"
              autoComplete="email"
              hint={answer ?? texts.login.resetExplanation}
              error={send.error}
              required
            />
            <Button type="submit" kind="quiet" disabled={send.isBusy} className={styles.submit}>
              {texts.login.resetSend}
            </Button>
          </form>
          <hr className={styles.line} />
          <form onSubmit={onForm((form) => reset.run(form))}>
            <TextField label={texts.login.resetToken} name="token" autoComplete="off" required />
            <TextField
              label={texts.login.resetPassword}
              name="password"
              type="password"
              autoComplete="new-password"
              hint={texts.login.passwordHint}
              required
            />
            <ErrorNote error={reset.error} />
            <Button type="submit" disabled={reset.isBusy} className={styles.submit}>
              {texts.login.resetSubmit}
            </Button>
          </form>
        </>
      )}
      <Button kind="quiet" className={styles.submit} onClick={() => navigate(entrance("/login", wanted))}>
        {isDone ? texts.login.submit : texts.login.instead}
      </Button>
    </Frame>
  );
}
