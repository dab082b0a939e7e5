import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { SettingsFrame } from "../../ui/forms/settings-frame.js";
import { Panel } from "../../ui/forms/settings-page.js";
import { Button } from "../../ui/look/button.js";
import { PasskeysSection } from "./passkeys.js";
import { SecondFactorSection } from "./second-factor.js";

/** In place of the page while the installation demands a second factor that the account does not have (docs/protocol/accounts.md#34.9). */
export function FactorGate() {
  const { store, gateway, logOut } = useApp();
  const labels = texts.account.factorGate;
  const goOn = () => {
    store.setState({ needsFactor: false });
    // Without a factor the answer is the same, and leads here again.
    gateway.connect().catch(() => undefined);
  };
  return (
    <SettingsFrame>
      <h1>{labels.title}</h1>
      <p>{labels.explanation}</p>
      <Panel title={texts.account.secondFactor.title}>
        <SecondFactorSection />
      </Panel>
      <Panel title={texts.account.passkeys.title}>
        <PasskeysSection />
      </Panel>
      <Panel title={labels.next}>
        <Button onClick={goOn}>{labels.goOn}</Button>{" "}
        <Button kind="quiet" onClick={() => void logOut().catch(() => undefined)}>
          {texts.shell.logOut}
        </Button>
      </Panel>
    </SettingsFrame>
  );
}
