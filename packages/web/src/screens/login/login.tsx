import { ParleyError } from "@parley/client";
import { useState } from "react";
import { useLocation } from "wouter";
import { entrance, useDestination } from "../../session/destination.js";
import { useSession } from "../../session/session.js";
import { useSessionEnd } from "../../session/session-end.js";
import { texts } from "../../texts/start-texts.js";
import { ErrorNote } from "../../ui/async-content.js";
import { Button } from "../../ui/button.js";
import { TextField } from "../../ui/field.js";
import { onForm, textOf } from "../../ui/form.js";
import { useAction } from "../../ui/use-action.js";
import { Frame } from "./frame.js";
import styles from "./login.module.css";

/** Logs in, with a second factor where the account has one. */
export function Login() {
  const { client, begin } = useSession();
  const [, navigate] = useLocation();
  const { wanted } = useDestination();
  const end = useSessionEnd();
  const [needsCode, setNeedsCode] = useState(false);
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
      throw failure;
    }
  });
  return (
    <Frame title={texts.login.title}>
      {end === null ? null : (
        <p role="status" className={styles.reason}>
          {texts.login.ends[end]}
        </p>
      )}
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
      </form>
      <Button kind="quiet" className={styles.submit} onClick={() => navigate(entrance("/register", wanted))}>
        {texts.login.register}
      </Button>
      <button type="button" className={styles.forgot} onClick={() => navigate(entrance("/reset-password", wanted))}>
        {texts.login.forgot}
      </button>
    </Frame>
  );
}
