import { useCallback, useState } from "react";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent, ErrorNote } from "../../ui/data/async-content.js";
import { onForm, textOf } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { TextField } from "../../ui/forms/field.js";
import { Panel } from "../../ui/forms/settings-page.js";
import { Button } from "../../ui/look/button.js";
import { Secret } from "../../ui/look/secret.js";
import { lazyPart } from "../../ui/page/lazy-part.js";
import styles from "./second-factor.module.css";

// Needed by those only who set it up.
const QrCode = lazyPart(async () => (await import("../../ui/look/qr-code.js")).QrCode, {
  // The secret beside it is enough.
  missing: () => null,
});

/** The second factor: set up with an authenticator, turned off with a code. */
export function SecondFactorSection() {
  const { client } = useApp();
  const labels = texts.account.secondFactor;
  const state = useData(useCallback((signal) => client.auth.secondFactor({ signal }), [client]));
  const [recoveryCodes, setRecoveryCodes] = useState<string[] | null>(null);
  if (recoveryCodes !== null) {
    return (
      <Panel title={labels.recovery}>
        <Secret label={labels.recovery} hint={labels.recoveryHint} value={recoveryCodes.join("\n")} />
        <Button
          onClick={async () => {
            await state.reload();
            setRecoveryCodes(null);
          }}
        >
          {labels.done}
        </Button>
      </Panel>
    );
  }
  return (
    <>
      <p>{labels.explanation}</p>
      <AsyncContent data={state}>
        {({ active, recovery_codes_left: left }) => (
          <>
            <p>{active ? labels.active(left) : labels.inactive}</p>
            {active ? <Removal onRemoved={state.reload} /> : <SetUp onActive={setRecoveryCodes} />}
          </>
        )}
      </AsyncContent>
    </>
  );
}

function SetUp({ onActive }: { onActive: (recoveryCodes: string[]) => void }) {
  const { client } = useApp();
  const labels = texts.account.secondFactor;
  const [begun, setBegun] = useState<{ secret: string; otpauth_url: string } | null>(null);
  const begin = useAction(async (form: FormData) =>
    setBegun(await client.auth.beginSecondFactor({ password: textOf(form, "password") })),
  );
  const confirm = useAction(async (form: FormData) =>
    onActive((await client.auth.confirmSecondFactor({ code: textOf(form, "code") })).recovery_codes),
  );
  if (begun === null) {
    return (
      <form onSubmit={onForm((form) => begin.run(form))}>
        <TextField
          label={labels.password}
          name="password"
          type="password"
          autoComplete="current-password"
          required
          error={begin.error}
        />
        <Button type="submit" disabled={begin.isBusy}>
          {labels.begin}
        </Button>
      </form>
    );
  }
  return (
    <form onSubmit={onForm((form) => confirm.run(form))}>
      <p>{labels.scan}</p>
      <div className={styles.setUp}>
        <QrCode text={begun.otpauth_url} label={labels.qrCode} />
        <div className={styles.byHand}>
          <p>{labels.byHand}</p>
          <Secret label={labels.secret} value={begun.secret} />
        </div>
      </div>
      <p>
        <a href={begun.otpauth_url}>{labels.open}</a>
      </p>
      <TextField
        label={labels.code}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        autoFocus
        error={confirm.error}
      />
      <Button type="submit" disabled={confirm.isBusy}>
        {labels.confirm}
      </Button>
    </form>
  );
}

function Removal({ onRemoved }: { onRemoved: () => Promise<void> }) {
  const { client } = useApp();
  const labels = texts.account.secondFactor;
  const remove = useAction(async (form: FormData) => {
    await client.auth.removeSecondFactor({ password: textOf(form, "password"), code: textOf(form, "code") });
    await onRemoved();
  });
  return (
    <form onSubmit={onForm((form) => remove.run(form))}>
      <TextField label={labels.password} name="password" type="password" autoComplete="current-password" required />
      <TextField label={labels.removeCode} name="code" autoComplete="one-time-code" required />
      <ErrorNote error={remove.error} />
      <Button kind="danger" type="submit" disabled={remove.isBusy}>
        {labels.remove}
      </Button>
    </form>
  );
}
