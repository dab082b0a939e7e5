import { ParleyError } from "@parley/client";
import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { entrance, invitedWith, useDestination } from "../../session/destination.js";
import { useInstallation } from "../../session/installation.js";
import { useSession } from "../../session/session.js";
import { texts } from "../../texts/start-texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { onForm, textOf } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { Checkbox, TextArea, TextField } from "../../ui/forms/field.js";
import { Button } from "../../ui/look/button.js";
import { ConfirmAddress } from "./confirm-address.js";
import { Frame } from "./frame.js";
import styles from "./login.module.css";

/** Registers an account, by the registration mode of the instance. */
export function Register() {
  const { client, begin } = useSession();
  const [, navigate] = useLocation();
  const { wanted } = useDestination();
  // Without an answer the form is shown, and the attempt to register shows the error.
  const installation = useInstallation(client);
  const registration = installation?.registration;
  const mode = registration?.mode ?? "open";
  const needsAddress = registration?.email === "required" || (registration?.email_domains ?? null) !== null;
  const [isWaiting, setWaiting] = useState(false);
  const proof = useRef<Promise<string> | null>(null);
  const prove = () => {
    proof.current ??= import("../../session/prove-work.js").then(({ proveWork }) => proveWork(client));
    // The request says why there is none.
    proof.current.catch(() => undefined);
  };
  const termsUrl = installation?.terms_url ?? null;
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
    const application = textOf(form, "application");
    if (registration?.challenge) prove();
    const account = {
      username: textOf(form, "username"),
      password: textOf(form, "password"),
      ...(email === "" ? {} : { email }),
      ...(inviteCode === "" ? {} : { invite_code: inviteCode }),
      ...(form.has("accepted_terms") ? { accepted_terms: true } : {}),
      ...(application === "" ? {} : { application }),
      ...(proof.current === null ? {} : { altcha: await proof.current }),
    };
    // An answer counts once.
    proof.current = null;
    try {
      await client.register(account);
    } catch (failure) {
      if (failure instanceof ParleyError && failure.code === "registration_waits") return setWaiting(true);
      throw failure;
    }
    // A new user knows nobody here whose messages they would miss; the settings have the choice.
    await client.users.updateMe({ dms_from: "servers" }).catch(() => undefined);
    // The user can still accept the invite that their registration used up, also when they typed it here.
    if (inviteCode !== "") navigate(entrance("/register", `/invite/${inviteCode}`), { replace: true });
    begin();
  });
  return (
    <Frame title={texts.login.registerTitle}>
      {isWaiting ? (
        registration?.email === "required" ? (
          <ConfirmAddress />
        ) : (
          <p role="status">{texts.login.waiting}</p>
        )
      ) : mode === "closed" ? (
        <p>{texts.login.closed}</p>
      ) : (
        <form onSubmit={onForm((form) => register.run(form))} onChange={registration?.challenge ? prove : undefined}>
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
          <TextField
            label={needsAddress ? texts.login.neededEmail : texts.login.email}
            name="email"
            type="email"
            autoComplete="email"
            required={needsAddress}
          />
          {registration?.approval ? (
            <TextArea label={texts.login.application} name="application" maxLength={1_000} />
          ) : null}
          {mode === "invite_only" ? (
            <TextField
              label={texts.login.inviteCode}
              name="invite_code"
              defaultValue={invitedWith(wanted) ?? ""}
              required
            />
          ) : null}
          {termsUrl === null ? null : (
            <Checkbox
              label={texts.login.terms}
              hint={
                <a href={termsUrl} target="_blank" rel="noreferrer">
                  {texts.login.termsLink}
                </a>
              }
              name="accepted_terms"
              required
            />
          )}
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
