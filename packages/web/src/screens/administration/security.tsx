import { texts } from "../../texts/texts.js";
import { Panel } from "../../ui/forms/settings-page.js";
import { DemandedFactor } from "./demanded-factor.js";
import { NetworkBans } from "./network-bans.js";

/** Who needs a second factor, and the networks that stay outside. */
export function SecuritySection() {
  const labels = texts.administration.security;
  return (
    <>
      <Panel title={labels.factor} hint={labels.factorHint}>
        <DemandedFactor />
      </Panel>
      <Panel title={labels.bans} hint={labels.bansHint}>
        <NetworkBans />
      </Panel>
    </>
  );
}
